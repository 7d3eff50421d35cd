#include "core/disk.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

#include "core/error.h"

namespace grouser::internal {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const char* what, int error) {
  throw Error(ErrorKind::io,
              {.message = std::string(what) + ": " + errno_text(error), .file = path.string()});
}

// Asked beforehand, because the kernel would also send SIGXFSZ, which ends a program by default.
bool is_beyond_size_limit(std::uint64_t end) {
  rlimit limit{};
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
         end > limit.rlim_cur;
}

}  // namespace

std::string errno_text(int error) { return std::generic_category().message(error); }

int write_bytes(int descriptor, std::span<const std::byte> bytes, std::uint64_t offset) {
  if (is_beyond_size_limit(offset + bytes.size())) return EFBIG;
  while (!bytes.empty()) {
    const ssize_t written =
        pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    if (written == 0) return ENOSPC;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
  return 0;
}

int resize_file(int descriptor, std::uint64_t size) {
  if (is_beyond_size_limit(size)) return EFBIG;
  return ftruncate(descriptor, static_cast<off_t>(size)) == 0 ? 0 : errno;
}

AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)) {
  static std::atomic<std::uint64_t> made = 0;
  scope_.emplace();
  // A name may be taken by what a killed process of the same number has left behind.
  constexpr int kMostTries = 1000;
  for (int i = 0; i < kMostTries && descriptor_ < 0; ++i) {
    tmp_path_ = path_;
    tmp_path_ += "." + std::to_string(getpid()) + "-" + std::to_string(made++) + ".tmp";
    descriptor_ = open(tmp_path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno != EEXIST) break;
  }
  if (descriptor_ < 0) fail(path_, "cannot create", errno);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  unlink(tmp_path_.c_str());
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  const int error = write_bytes(descriptor_, bytes, size_);
  if (error != 0) fail(path_, "cannot write", error);
  size_ += bytes.size();
}

void AtomicFile::commit() {
  if (fsync(descriptor_) != 0) fail(path_, "cannot write", errno);
  if (rename(tmp_path_.c_str(), path_.c_str()) != 0) fail(path_, "cannot rename", errno);
  close(std::exchange(descriptor_, -1));
  // The name is in the folder; a folder that cannot be synchronised (some network disks) is no
  // reason to fail, since the content is safe.
  const auto folder = path_.has_parent_path() ? path_.parent_path() : std::filesystem::path(".");
  const int folder_descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder_descriptor >= 0) {
    fsync(folder_descriptor);
    close(folder_descriptor);
  }
  scope_.reset();
  if (cancel_requested() && !CancelScope::any()) throw Cancelled();
}

}  // namespace grouser::internal
