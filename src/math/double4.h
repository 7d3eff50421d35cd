#pragma once

#include <cstring>

/// Four doubles at once. The compiler maps them to what the machine has; the bits are the same everywhere.
namespace grouser {

using Double4 = double __attribute__((vector_size(32)));

inline Double4 load4(const double* values) {
  Double4 lanes;
  std::memcpy(&lanes, values, sizeof lanes);
  return lanes;
}
inline void store4(const Double4& lanes, double* values) {
  std::memcpy(values, &lanes, sizeof lanes);
}
inline Double4 double4(double value) { return value - Double4{}; }

inline Double4 lesser(const Double4& a, const Double4& b) { return a < b ? a : b; }
inline double sum(const Double4& v) { return (v[0] + v[1]) + (v[2] + v[3]); }

}  // namespace grouser
