#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace grouser::internal {

/// Streaming 64-bit hash, XXH64 with seed 0 (Collet, xxHash specification, version 0.1.1). The
/// same bytes give the same digest on every machine, however they are cut into calls. Numbers
/// enter as little-endian bytes. Not for secrets: collisions can be made on purpose.
class Hasher {
 public:
  Hasher();

  void bytes(std::span<const std::byte> data);
  void u64(std::uint64_t value);

  /// By bit pattern: +0 and -0 differ, and so do NaNs with different payloads.
  void f64(double value) { u64(std::bit_cast<std::uint64_t>(value)); }

  /// Length first, so that ("ab", "c") and ("a", "bc") differ.
  void text(std::string_view value) {
    u64(value.size());
    bytes(std::as_bytes(std::span(value)));
  }

  /// Hash of all that came so far; more may follow.
  std::uint64_t digest() const;

 private:
  static constexpr std::size_t kStripe = 32;  // bytes taken up by the lanes at once

  void consume(const std::byte* stripe);

  std::array<std::uint64_t, 4> lanes_;
  std::array<std::byte, kStripe> pending_ = {};
  std::uint64_t size_ = 0;  // bytes so far; size_ % kStripe of them are pending
};

/// 16 lower-case hexadecimal digits, leading zeros kept.
std::string hash_text(std::uint64_t digest);

}  // namespace grouser::internal
