#pragma once

#include <cstdint>
#include <cstring>

/// Four doubles at once. The compiler maps them to what the machine has; the bits are the same everywhere.
namespace grouser::internal {

using Double4 = double __attribute__((vector_size(32)));
using Long4 = std::int64_t __attribute__((vector_size(32)));  // also a mask: per lane 0 or -1

inline Double4 load4(const double* values) {
  Double4 lanes;
  std::memcpy(&lanes, values, sizeof lanes);
  return lanes;
}
inline void store4(const Double4& lanes, double* values) {
  std::memcpy(values, &lanes, sizeof lanes);
}
inline Double4 double4(double value) { return value - Double4{}; }

// The second where a number is none.
#ifdef __AVX__  // what the compiler makes of the same choice takes two instructions
inline Double4 lesser(const Double4& a, const Double4& b) { return __builtin_ia32_minpd256(a, b); }
inline Double4 greater(const Double4& a, const Double4& b) { return __builtin_ia32_maxpd256(a, b); }
#else
inline Double4 lesser(const Double4& a, const Double4& b) { return a < b ? a : b; }
inline Double4 greater(const Double4& a, const Double4& b) { return a > b ? a : b; }
#endif
inline double sum(const Double4& v) { return (v[0] + v[1]) + (v[2] + v[3]); }

/// Bit i is set if lane i is true.
inline unsigned bits_of(const Long4& mask) {
#ifdef __AVX__
  return static_cast<unsigned>(__builtin_ia32_movmskpd256(reinterpret_cast<Double4>(mask)));
#else
  unsigned bits = 0;
  for (int lane = 0; lane < 4; ++lane) bits |= static_cast<unsigned>(mask[lane] & 1) << lane;
  return bits;
#endif
}

}  // namespace grouser::internal
