#pragma once

#include <cstdint>

#include "math/spatial.h"

/// Eight doubles at once. The compiler maps them to what the machine has; the bits are the same everywhere.
namespace grouser::internal {

using Double8 = double __attribute__((vector_size(64)));
using Long8 = std::int64_t __attribute__((vector_size(64)));  // also a mask: per lane 0 or -1

inline Double8 double8(double value) { return value - Double8{}; }

/// Bit i is set if lane i is true.
inline unsigned bits_of(Long8 mask) {
#ifdef __AVX512DQ__
  return static_cast<unsigned>(__builtin_ia32_cvtq2mask512(
      reinterpret_cast<long long __attribute__((vector_size(64)))>(mask)));
#else
  unsigned bits = 0;
  for (int lane = 0; lane < 8; ++lane) bits |= static_cast<unsigned>(mask[lane] & 1) << lane;
  return bits;
#endif
}

/// Eight vectors.
struct Vec3x8 {
  Double8 x, y, z;

  Vec3 lane(int i) const { return {x[i], y[i], z[i]}; }
  void set_lane(int i, const Vec3& v) {
    x[i] = v.x();
    y[i] = v.y();
    z[i] = v.z();
  }
};

inline Vec3x8 operator+(const Vec3x8& a, const Vec3x8& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Vec3x8 operator-(const Vec3x8& a, const Vec3x8& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Vec3x8 operator-(const Vec3& a, const Vec3x8& b) {
  return {a.x() - b.x, a.y() - b.y, a.z() - b.z};
}
inline Vec3x8 operator+(const Vec3x8& a, const Vec3& b) {
  return {a.x + b.x(), a.y + b.y(), a.z + b.z()};
}
inline Vec3x8 operator*(double s, const Vec3x8& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Vec3x8 operator*(const Mat3& m, const Vec3x8& a) {
  return {m(0, 0) * a.x + m(0, 1) * a.y + m(0, 2) * a.z,
          m(1, 0) * a.x + m(1, 1) * a.y + m(1, 2) * a.z,
          m(2, 0) * a.x + m(2, 1) * a.y + m(2, 2) * a.z};
}
inline Double8 dot(const Vec3x8& a, const Vec3x8& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Double8 dot(const Vec3& a, const Vec3x8& b) {
  return a.x() * b.x + a.y() * b.y + a.z() * b.z;
}
inline Vec3x8 cross(const Vec3x8& a, const Vec3x8& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

}  // namespace grouser::internal
