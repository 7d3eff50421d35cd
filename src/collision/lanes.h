#pragma once

#include <Eigen/Core>
#include <bit>
#include <cstdint>
#include <cstring>

/// Eight doubles side by side, for searches over many points or planes.
namespace grouser::internal {

inline constexpr int kLanes = 8;
using Double8 = double __attribute__((vector_size(64)));
using Bits8 = std::uint64_t __attribute__((vector_size(64)));
inline constexpr Bits8 kLaneNumbers = {0, 1, 2, 3, 4, 5, 6, 7};

using Double4 = double __attribute__((vector_size(32)));
using Bits4 = std::uint64_t __attribute__((vector_size(32)));

/// An overlap that no search takes: of lanes that are idle or have no axis.
inline constexpr double kNever = 1e300;

template <class To, class From>
To lanes_as(const From& from) {
  To to;
  static_assert(sizeof to == sizeof from);
  std::memcpy(&to, &from, sizeof to);
  return to;
}

inline Double8 load8(const double* from) {
  Double8 lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

inline void store8(const Double8& lanes, double* to) { std::memcpy(to, &lanes, sizeof lanes); }

inline bool any(Bits4 lanes) {
  lanes |= __builtin_shufflevector(lanes, lanes, 2, 3, 0, 1);
  return (lanes[0] | lanes[1]) != 0;
}

/// Each correctly rounded. std::sqrt() lane by lane may set errno, which keeps it from being one instruction.
inline Double4 square_roots(const Double4& of) {
  Eigen::Array4d lane;
  std::memcpy(lane.data(), &of, sizeof of);
  lane = lane.sqrt();
  Double4 roots;
  std::memcpy(&roots, lane.data(), sizeof roots);
  return roots;
}

inline Double4 absolute(const Double4& v) { return v < Double4{} ? -v : v; }
inline Double4 smaller(const Double4& a, const Double4& b) { return a < b ? a : b; }
inline Double8 larger(const Double8& a, const Double8& b) { return a > b ? a : b; }
inline Double8 smaller(const Double8& a, const Double8& b) { return a < b ? a : b; }

/// The lowest bits of each value give way to its number, so that one search finds both. `number_bits` is a
/// power of two less one, no less than any number.
inline Double8 numbered(const Double8& value, const Bits8& number, std::uint64_t number_bits) {
  return lanes_as<Double8>((lanes_as<Bits8>(value) & ~number_bits) | number);
}

template <int by>
Double8 rotated(const Double8& v) {
  return __builtin_shufflevector(v, v, by % 8, (by + 1) % 8, (by + 2) % 8, (by + 3) % 8,
                                 (by + 4) % 8, (by + 5) % 8, (by + 6) % 8, (by + 7) % 8);
}

inline double largest_of(Double8 v) {
  v = larger(v, rotated<4>(v));
  v = larger(v, rotated<2>(v));
  return larger(v, rotated<1>(v))[0];
}

inline double smallest_of(Double8 v) {
  v = smaller(v, rotated<4>(v));
  v = smaller(v, rotated<2>(v));
  return smaller(v, rotated<1>(v))[0];
}

}  // namespace grouser::internal
