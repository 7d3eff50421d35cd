#pragma once

#include <cmath>

#include "math/spatial.h"

namespace grouser::internal {

/// Vec3 for loops in which each step waits for the one before: as three scalars it stays in registers, while
/// Eigen writes it to memory in parts and reads it back in pairs, which stalls.
struct Point3 {
  double x, y, z;  // not set: arrays of points would take long to clear

  Point3() = default;
  Point3(double x_, double y_, double z_) : x(x_), y(y_), z(z_) {}
  Point3(const Vec3& v) : x(v.x()), y(v.y()), z(v.z()) {}
  operator Vec3() const { return {x, y, z}; }
};

inline Point3 operator+(const Point3& a, const Point3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Point3 operator-(const Point3& a, const Point3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Point3 operator-(const Point3& a) { return {-a.x, -a.y, -a.z}; }
inline Point3 operator*(double s, const Point3& a) { return {s * a.x, s * a.y, s * a.z}; }
inline double dot(const Point3& a, const Point3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Point3 cross(const Point3& a, const Point3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double norm(const Point3& a) { return std::sqrt(dot(a, a)); }
inline Point3 normalized(const Point3& a) { return 1 / norm(a) * a; }
inline Point3 product(const Mat3& R, const Point3& a) {
  return {R(0, 0) * a.x + R(0, 1) * a.y + R(0, 2) * a.z,
          R(1, 0) * a.x + R(1, 1) * a.y + R(1, 2) * a.z,
          R(2, 0) * a.x + R(2, 1) * a.y + R(2, 2) * a.z};
}
inline Point3 transposed_product(const Mat3& R, const Point3& a) {
  return {R(0, 0) * a.x + R(1, 0) * a.y + R(2, 0) * a.z,
          R(0, 1) * a.x + R(1, 1) * a.y + R(2, 1) * a.z,
          R(0, 2) * a.x + R(1, 2) * a.y + R(2, 2) * a.z};
}

}  // namespace grouser::internal
