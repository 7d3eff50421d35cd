#include "record/run_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "core/disk.h"
#include "core/error.h"
#include "record/run_reader.h"

namespace grouser::internal {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_folder(const fs::path& path, std::string message) {
  throw Error(ErrorKind::io, {.message = std::move(message), .file = path.string()});
}

// A leftover of a run that was killed while it set up its file.
bool is_empty_or_aborted(const fs::path& path) {
  return std::all_of(fs::directory_iterator(path), fs::directory_iterator(),
                     [](const fs::directory_entry& entry) {
                       return entry.path().filename() == std::string(kRunFile) + ".tmp";
                     });
}

void check_content(const fs::path& path) {
  if (is_empty_or_aborted(path)) return;
  const fs::path run = path / kRunFile;
  if (!fs::exists(run)) {
    refuse_folder(path, "the folder is not empty and holds no run; name a new or empty one");
  }
  if (!is_run_file(run))
    refuse_folder(run, "this is not a run file of grouser; name another folder");
}

// Folders on disks without locks are used without.
int locked(const fs::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) refuse_folder(path, "cannot open the folder: " + errno_text(errno));
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    close(descriptor);
    refuse_folder(path, "another run is being written to this folder");
  }
  return descriptor;
}

}  // namespace

RunDirectory::RunDirectory(fs::path path) : path_(std::move(path)) {
  std::error_code error;
  is_new_ = fs::create_directories(path_, error);
  if (error) refuse_folder(path_, "cannot make the folder: " + error.message());
  descriptor_ = locked(path_);
  try {
    check_content(path_);
    fs::remove(path_ / kSummaryFile);
  } catch (const fs::filesystem_error& problem) {
    close(descriptor_);
    refuse_folder(path_, "cannot use the folder: " + problem.code().message());
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

RunDirectory::~RunDirectory() {
  std::error_code ignored;
  if (is_new_) fs::remove(path_, ignored);  // fails if there is something in it
  close(descriptor_);
}

}  // namespace grouser::internal
