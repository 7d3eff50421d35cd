#pragma once

#include <limits>

#include "math/spatial.h"

namespace grouser::internal {

/// Axis-aligned box; empty (lower > upper) until something was added.
struct Aabb {
  Vec3 lower = Vec3::Constant(std::numeric_limits<double>::infinity());   ///< [m]
  Vec3 upper = Vec3::Constant(-std::numeric_limits<double>::infinity());  ///< [m]

  bool empty() const { return (lower.array() > upper.array()).any(); }
  Vec3 size() const { return upper - lower; }
  Vec3 centre() const { return 0.5 * (lower + upper); }
  void add(const Vec3& point) {
    lower = lower.cwiseMin(point);
    upper = upper.cwiseMax(point);
  }
  void add(const Aabb& box) {
    lower = lower.cwiseMin(box.lower);
    upper = upper.cwiseMax(box.upper);
  }
  bool overlaps(const Aabb& other) const {
    return (lower.array() <= other.upper.array()).all() &&
           (other.lower.array() <= upper.array()).all();
  }
};

}  // namespace grouser::internal
