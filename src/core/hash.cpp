#include "core/hash.h"

#include <algorithm>

#include <fmt/format.h>

namespace grouser::internal {
namespace {

constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87;
constexpr std::uint64_t kPrime2 = 0xC2B2AE3D27D4EB4F;
constexpr std::uint64_t kPrime3 = 0x165667B19E3779F9;
constexpr std::uint64_t kPrime4 = 0x85EBCA77C2B2AE63;
constexpr std::uint64_t kPrime5 = 0x27D4EB2F165667C5;

/// Composed byte by byte to be little-endian everywhere; compilers make it one load.
template <int kBytes>
std::uint64_t load(const std::byte* data) {
  std::uint64_t value = 0;
  for (int i = 0; i < kBytes; ++i) value |= std::to_integer<std::uint64_t>(data[i]) << (8 * i);
  return value;
}

std::uint64_t mix_lane(std::uint64_t lane, std::uint64_t input) {
  return std::rotl(lane + input * kPrime2, 31) * kPrime1;
}

std::uint64_t merge_lane(std::uint64_t hash, std::uint64_t lane) {
  return (hash ^ mix_lane(0, lane)) * kPrime1 + kPrime4;
}

/// Takes in the last bytes, fewer than a stripe.
std::uint64_t mix_tail(std::uint64_t hash, const std::byte* data, std::size_t size) {
  for (; size >= 8; data += 8, size -= 8) {
    hash = std::rotl(hash ^ mix_lane(0, load<8>(data)), 27) * kPrime1 + kPrime4;
  }
  for (; size >= 4; data += 4, size -= 4) {
    hash = std::rotl(hash ^ load<4>(data) * kPrime1, 23) * kPrime2 + kPrime3;
  }
  for (; size > 0; ++data, --size) {
    hash = std::rotl(hash ^ load<1>(data) * kPrime5, 11) * kPrime1;
  }
  return hash;
}

std::uint64_t avalanche(std::uint64_t hash) {
  hash = (hash ^ hash >> 33) * kPrime2;
  hash = (hash ^ hash >> 29) * kPrime3;
  return hash ^ hash >> 32;
}

}  // namespace

Hasher::Hasher() : lanes_{kPrime1 + kPrime2, kPrime2, 0, 0 - kPrime1} {}

void Hasher::consume(const std::byte* stripe) {
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    lanes_[i] = mix_lane(lanes_[i], load<8>(stripe + 8 * i));
  }
}

void Hasher::bytes(std::span<const std::byte> data) {
  const std::size_t pending = size_ % kStripe;
  size_ += data.size();
  if (pending > 0) {
    const auto head = data.first(std::min(data.size(), kStripe - pending));
    std::ranges::copy(head, pending_.begin() + static_cast<std::ptrdiff_t>(pending));
    if (pending + head.size() < kStripe) return;
    consume(pending_.data());
    data = data.subspan(head.size());
  }
  for (; data.size() >= kStripe; data = data.subspan(kStripe)) consume(data.data());
  std::ranges::copy(data, pending_.begin());
}

void Hasher::u64(std::uint64_t value) {
  std::array<std::byte, 8> buffer;
  for (std::size_t i = 0; i < buffer.size(); ++i) {
    buffer[i] = static_cast<std::byte>(value >> (8 * i) & 0xFF);
  }
  bytes(buffer);
}

std::uint64_t Hasher::digest() const {
  std::uint64_t hash = kPrime5;
  if (size_ >= kStripe) {
    hash = std::rotl(lanes_[0], 1) + std::rotl(lanes_[1], 7) + std::rotl(lanes_[2], 12) +
           std::rotl(lanes_[3], 18);
    for (const std::uint64_t lane : lanes_) hash = merge_lane(hash, lane);
  }
  return avalanche(mix_tail(hash + size_, pending_.data(), size_ % kStripe));
}

std::string hash_text(std::uint64_t digest) { return fmt::format("{:016x}", digest); }

}  // namespace grouser::internal
