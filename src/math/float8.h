#pragma once

#include <cstdint>

/// Eight floats at once, for bounds of boxes: conservative tests that need no double precision. The
/// compiler maps them to what the machine has.
namespace grouser::internal {

using Float4 = float __attribute__((vector_size(16)));
using Float8 = float __attribute__((vector_size(32)));
using Mask8 = std::int32_t __attribute__((vector_size(32)));  // per lane 0 or -1

inline Float8 float8(float value) { return value - Float8{}; }

inline Float4 minimum(Float4 a, Float4 b) { return a < b ? a : b; }
inline Float4 maximum(Float4 a, Float4 b) { return a > b ? a : b; }

/// Bit i is set if lane i is true.
inline unsigned bits_of(Mask8 mask) {
#ifdef __AVX__
  return static_cast<unsigned>(__builtin_ia32_movmskps256(reinterpret_cast<Float8>(mask)));
#else
  unsigned bits = 0;
  for (int lane = 0; lane < 8; ++lane) bits |= static_cast<unsigned>(mask[lane] & 1) << lane;
  return bits;
#endif
}

}  // namespace grouser::internal
