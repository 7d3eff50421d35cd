#pragma once

#include <array>
#include <cmath>

#include "geometry/bvh.h"
#include "math/double8.h"

/// Boxes of the base as the target sees them.
namespace grouser::internal {

/// The boxes of a node's children, turned and boxed again in the target's frame, eight at a time. Floats,
/// so that each grows by a margin larger than any rounding.
struct MovedBoxes {
  std::array<Float8, 3> lower, upper;

  QueryBox lane(std::size_t i) const {
    QueryBox box;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      box.lower[axis] = float8(lower[axis][i]);
      box.upper[axis] = float8(upper[axis][i]);
    }
    return box;
  }
};

class BoxMover {
 public:
  /// Boxes grow by `reserve` [m] besides.
  BoxMover(const Pose& X_TB, const Aabb& bounds_B, double reserve) {
    const double extent = bounds_B.lower.cwiseAbs().cwiseMax(bounds_B.upper.cwiseAbs()).sum();
    margin_ = float_above(2e-6 * (extent + X_TB.p.cwiseAbs().maxCoeff()) + reserve);
    for (int i = 0; i < 3; ++i) {
      p_[i] = static_cast<float>(X_TB.p[i]);
      for (int j = 0; j < 3; ++j) R_[i][j] = static_cast<float>(X_TB.R(i, j));
    }
  }

  /// More than the rounding of all coordinates [m].
  float margin() const { return margin_; }

  MovedBoxes operator()(const Bvh::Node& node) const {
    std::array<Float8, 3> centre, half;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      centre[axis] = 0.5F * (node.lower[axis] + node.upper[axis]);
      half[axis] = 0.5F * (node.upper[axis] - node.lower[axis]);
    }
    MovedBoxes moved;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const float(&r)[3] = R_[axis];
      const Float8 c = r[0] * centre[0] + r[1] * centre[1] + r[2] * centre[2] + p_[axis];
      const Float8 h =
          std::abs(r[0]) * half[0] + std::abs(r[1]) * half[1] + std::abs(r[2]) * half[2] + margin_;
      moved.lower[axis] = c - h;
      moved.upper[axis] = c + h;
    }
    return moved;
  }

 private:
  float R_[3][3], p_[3], margin_;
};

inline unsigned children_of(const Bvh::Node& node) {
  return bits_of(node.lower[0] <= node.upper[0]);
}

/// Smallest and largest of eight.
inline float least(Float8 a) {
  const auto lower = [](Float8 x, Float8 y) { return x < y ? x : y; };
  a = lower(a, __builtin_shufflevector(a, a, 4, 5, 6, 7, 0, 1, 2, 3));
  a = lower(a, __builtin_shufflevector(a, a, 2, 3, 0, 1, 6, 7, 4, 5));
  a = lower(a, __builtin_shufflevector(a, a, 1, 0, 3, 2, 5, 4, 7, 6));
  return a[0];
}
inline float greatest(Float8 a) { return -least(-a); }

/// The box of eight lines of the given length, larger by a margin that covers all rounding.
inline QueryBox box_of_lines(const Vec3x8& origin, const Vec3x8& direction, double length,
                             float margin) {
  const Vec3x8 end = origin + length * direction;
  QueryBox box;
  const auto set = [&](std::size_t axis, Double8 from, Double8 to) {
    const auto a = __builtin_convertvector(from, Float8), b = __builtin_convertvector(to, Float8);
    box.lower[axis] = float8(least(a < b ? a : b) - margin);
    box.upper[axis] = float8(greatest(a > b ? a : b) + margin);
  };
  set(0, origin.x, end.x);
  set(1, origin.y, end.y);
  set(2, origin.z, end.z);
  return box;
}

}  // namespace grouser::internal
