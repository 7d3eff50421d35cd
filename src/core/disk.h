#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/long_task.h"

namespace grouser::internal {

/// Writes all bytes at `offset` of an open file. Returns 0 or the errno of the first failure, of
/// which EFBIG also stands for the process's limit on file sizes (without its signal).
int write_bytes(int descriptor, std::span<const std::byte> bytes, std::uint64_t offset);

/// Sets the length of an open file. Returns 0 or an errno, as write_bytes() does.
int resize_file(int descriptor, std::uint64_t size);

/// A file that appears under its name only when it is complete: written to a name of its own,
/// "<path>.<process>-<number>.tmp", then synchronised and renamed. Without commit(), nothing remains.
/// Several may be written under the same name at a time, also by several processes: each appears
/// whole, the last one stays. Every failure throws Error(io) naming the file and the reason. If a stop is asked for
/// meanwhile, commit() throws Cancelled when it is done, unless it is part of something larger; see CancelScope.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  void commit();

 private:
  std::filesystem::path path_;
  std::filesystem::path tmp_path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::optional<CancelScope> scope_;
};

/// "No space left on device"
std::string errno_text(int error);

}  // namespace grouser::internal
