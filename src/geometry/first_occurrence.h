#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace grouser::internal {

/// For each of `count` things the index of the first one equal to it (its own if there is none
/// before it). hash(i) gives 64 well-mixed bits, equal(i, j) tells whether two are the same. The
/// result does not depend on the hash.
template <class Hash, class Equal>
std::vector<std::int32_t> first_occurrences(std::size_t count, Hash hash, Equal equal) {
  constexpr std::int32_t kFree = -1;
  const std::size_t mask = std::bit_ceil(2 * count + 1) - 1;
  std::vector<std::int32_t> table(mask + 1, kFree);
  std::vector<std::int32_t> first(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t slot = hash(i) & mask;  // at least half of the slots stay free: the search ends
    while (table[slot] != kFree && !equal(i, static_cast<std::size_t>(table[slot]))) {
      slot = (slot + 1) & mask;
    }
    if (table[slot] == kFree) table[slot] = static_cast<std::int32_t>(i);
    first[i] = table[slot];
  }
  return first;
}

/// A bijection of 64 bits in which every bit depends on every other: the finaliser of SplitMix64,
/// Steele, Lea & Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
constexpr std::uint64_t mixed_bits(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

}  // namespace grouser::internal
