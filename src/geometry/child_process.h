#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace grouser::internal {

struct ChildLimits {
  std::uint64_t memory_bytes =
      0;               ///< beyond what this process has; not enforced by sanitizer builds
  double seconds = 0;  ///< of wall-clock time, > 0
};

/// Work that may crash, hang or eat memory, done in a child process that sends its result through a
/// pipe. The child has no standard streams and no other open files, ignores SIGINT (this process
/// decides what an interrupt means) and dies with this process.
class ChildProcess {
 public:
  /// Starts work(descriptor) in a child; the descriptor is the pipe to write to. Exceptions of
  /// `work` end the child. Throws Error(io) if there is no process to be had.
  ChildProcess(const ChildLimits& limits, const std::function<void(int)>& work);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Fills `to` with the next bytes. False if the child ended or the time was up before.
  bool read(void* to, std::size_t bytes);

  /// After read() gave false: what became of the child, as the end of a sentence, e.g. "crashed on
  /// it (signal 11)".
  std::string what_happened();

 private:
  void reap(bool kill_first);

  ChildLimits limits_;
  std::chrono::steady_clock::time_point deadline_;
  int pipe_ = -1;
  pid_t pid_ = -1;
  int status_ = 0;
  bool is_late_ = false;
};

/// Writes all bytes to a pipe; false if the reader has gone.
bool write_all(int descriptor, const void* from, std::size_t bytes);

}  // namespace grouser::internal
