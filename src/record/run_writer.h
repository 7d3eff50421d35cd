#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>

#include "sim/simulate.h"

namespace grouser::internal {

struct RunWriterOptions {
  double flush_interval = 1;  ///< longest wall time a sample waits in memory [s], >= 0
  std::size_t buffer_bytes = std::size_t{4} << 20;  ///< flushed when as much has gathered
  bool write_checkpoints = true;                    ///< keep the newest checkpoint as checkpoint.h5
};

/// Writes a run's folder as the simulation goes: run.h5 (layout: docs/run-format.md) and, when the
/// simulation offers one, checkpoint.h5.
///
/// After each flush everything up to there is safe from the end of the program, be it by kill -9:
/// RunReader reads it. When the disk is full or a write fails otherwise, the flush throws Error(io)
/// with file and reason, the earlier flushes stay readable, and the writer is of no more use.
/// Not safe from loss of power, as it does not wait for the disk.
///
/// A sample that is not finite throws Error(diverged) and is not written.
class RunWriter : public Observer {
 public:
  /// Claims the folder, see RunDirectory, and writes what is known beforehand. run.h5 appears, or
  /// replaces the one of an earlier run, once it is readable. The world must outlive the writer.
  RunWriter(const World& world, std::filesystem::path folder, RunWriterOptions options = {});
  /// Closes if close() was not called; failures then go to the log.
  ~RunWriter() override;

  void on_sample(const Sample& sample) override;
  void on_event(const EventRecord& event) override;
  void on_alarm(const Alarm& alarm) override;
  void on_checkpoint(const State& state) override;
  void on_step(double time, long steps) override;

  /// Makes everything so far readable.
  void flush();
  /// Flushes and finishes the file; nothing may follow. Does nothing if the writer has failed.
  void close();

  std::size_t rows() const;  ///< samples taken so far
  const std::filesystem::path& folder() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace grouser::internal
