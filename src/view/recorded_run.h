#pragma once

#include <filesystem>
#include <memory>

#include "view/server.h"

namespace grouser::internal {

/// Answers the page's questions about a run on disk; see docs/viewer.md. For one thread.
class RecordedRun {
 public:
  /// A run's folder or its run.h5. Throws Error as RunReader does, and if there are no samples.
  explicit RecordedRun(const std::filesystem::path& path);
  ~RecordedRun();

  /// Throws Error(usage) if there is no such thing, Error(input) if the file is damaged.
  Reply answer(const Target& target) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace grouser::internal
