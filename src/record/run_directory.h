#pragma once

#include <filesystem>

namespace grouser::internal {

/// Names of the files within a run's folder.
inline constexpr const char* kRunFile = "run.h5";
inline constexpr const char* kSummaryFile = "summary.json";
inline constexpr const char* kCheckpointFile = "checkpoint.h5";

/// A folder claimed for one run until destruction.
class RunDirectory {
 public:
  /// Makes the folder, with parents. A folder with content is taken only if it holds an earlier run;
  /// that run's summary is removed, its run.h5 stays until the new one replaces it, and files of
  /// others are left alone. Throws Error(io) if the folder holds something else or if another
  /// program is writing a run there.
  explicit RunDirectory(std::filesystem::path path);
  /// Removes a folder that it made if nothing was put into it.
  ~RunDirectory();
  RunDirectory(const RunDirectory&) = delete;
  RunDirectory& operator=(const RunDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  bool is_new_ = false;
  int descriptor_ = -1;  // holds the lock
};

/// True if this file is a run file of any version, finished or not.
bool is_run_file(const std::filesystem::path& file);

}  // namespace grouser::internal
