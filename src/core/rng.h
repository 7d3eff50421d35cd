#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace grouser::internal {

/// Philox4x32-10, a keyed bijection of 128-bit counters: ten rounds of multiply and exchange.
/// Salmon, Moraes, Dror & Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11 (2011).
constexpr std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                                  std::array<std::uint32_t, 2> key) {
  constexpr int kRounds = 10;
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * counter[2];
    const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
    const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
    counter = {high(b) ^ counter[1] ^ key[0], low(b), high(a) ^ counter[3] ^ key[1], low(a)};
    key[0] += 0x9E3779B9;  // golden ratio
    key[1] += 0xBB67AE85;  // sqrt(3) - 1
  }
  return counter;
}

/// Random numbers by counter: draw number k is a pure function of (seed, stream, k), whatever was
/// drawn before and by whichever thread. Every call below takes exactly one number k, so that the
/// whole state is `position` and a parallel loop can seek to the draws of its slots.
///
/// The integers and uniform() are the same on every platform; normal() also depends on the last
/// bit of the C library's log and cos.
class CounterRng {
 public:
  explicit CounterRng(std::uint64_t seed, std::uint64_t stream = 0)
      : seed_(seed), stream_(stream) {}

  std::uint64_t position() const { return position_; }
  void seek(std::uint64_t position) { position_ = position; }

  std::uint64_t bits() { return bits_at(position_++); }
  double uniform() { return uniform_at(position_++); }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  double normal() { return normal_at(position_++); }
  std::uint64_t index(std::uint64_t n) { return index_at(position_++, n); }

  /// 64 random bits.
  std::uint64_t bits_at(std::uint64_t k) const { return block_at(k)[0]; }

  /// Evenly spread over the multiples of 2^-53 in [0, 1).
  double uniform_at(std::uint64_t k) const { return to_unit(bits_at(k)); }

  /// Standard normal deviate, by Box & Muller (1958). At most 8.6 in magnitude.
  double normal_at(std::uint64_t k) const {
    const std::array<std::uint64_t, 2> block = block_at(k);
    const double radius = std::sqrt(-2 * std::log(1 - to_unit(block[0])));
    return radius * std::cos(2 * std::numbers::pi * to_unit(block[1]));
  }

  /// One of 0 ... n - 1, n > 0. No number is likelier than another by more than n / 2^64.
  std::uint64_t index_at(std::uint64_t k, std::uint64_t n) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((Wide{bits_at(k)} * n) >> 64);
  }

  friend bool operator==(const CounterRng&, const CounterRng&) = default;

 private:
  std::array<std::uint64_t, 2> block_at(std::uint64_t k) const {
    const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
    const std::array<std::uint32_t, 4> r = philox4x32(
        {low(k), low(k >> 32), low(stream_), low(stream_ >> 32)}, {low(seed_), low(seed_ >> 32)});
    return {r[0] | std::uint64_t{r[1]} << 32, r[2] | std::uint64_t{r[3]} << 32};
  }

  static double to_unit(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t position_ = 0;
};

}  // namespace grouser::internal
