#pragma once

#include <array>
#include <utility>

#include "contact/bbcc/difference.h"

/// Minkowski portal refinement: whether the difference of two convex solids holds the origin. A portal
/// is a triangle of the difference through which the ray from an inner point to the origin passes; it
/// moves outwards until the origin lies on one side for sure. After G. Snethen, "XenoCollide: complex
/// collision made simple", Game Programming Gems 7 (2008).
namespace grouser {

/// corner[0] is the inner point, the others are the portal, anticlockwise seen from outside. Holds the
/// origin if the solids overlap.
struct Portal {
  std::array<DifferencePoint, 4> corner;
  Vec3 outward = Vec3::Zero();  ///< of the last supporting plane; not a unit vector
};

// Each refinement halves the uncertain gap at least once every few steps; what remains uncertain after
// this many is far below rounding.
inline constexpr int kMostPortals = 96;

namespace mpr {

/// An inner point that is not the origin itself, so that a ray leads through the origin.
template <class D>
DifferencePoint inner_point(const D& difference) {
  DifferencePoint inner = difference.centre();
  const double least = 1e-3 * difference.inner();
  if (inner.w.squaredNorm() < least * least) inner.w.x() += 2 * least;
  return inner;
}

inline Vec3 any_across(const Vec3& v) {
  int least = 0;
  v.cwiseAbs().minCoeff(&least);
  return v.cross(Vec3::Unit(least));
}

/// A first portal. False if the origin was found outside.
template <class D>
bool discover(const D& difference, Portal& portal) {
  auto& [v0, v1, v2, v3] = portal.corner;
  v0 = inner_point(difference);
  portal.outward = -v0.w;
  v1 = difference(portal.outward);
  if (v1.w.dot(portal.outward) <= 0) return false;
  Vec3 n = v1.w.cross(v0.w);
  // On one line to rounding: any plane through the ray will do.
  if (n.squaredNorm() <= 1e-24 * v1.w.squaredNorm() * v0.w.squaredNorm()) n = any_across(v0.w);
  portal.outward = n;
  v2 = difference(n);
  if (v2.w.dot(n) <= 0) return false;
  n = (v1.w - v0.w).cross(v2.w - v0.w);
  if (n.dot(v0.w) > 0) {
    std::swap(v1, v2);
    n = -n;
  }
  for (int k = 0; k < kMostPortals; ++k) {
    portal.outward = n;
    v3 = difference(n);
    if (v3.w.dot(n) <= 0) return false;
    if (v1.w.cross(v3.w).dot(v0.w) < 0) {
      v2 = v3;
    } else if (v3.w.cross(v2.w).dot(v0.w) < 0) {
      v1 = v3;
    } else {
      return true;
    }
    n = (v1.w - v0.w).cross(v2.w - v0.w);
  }
  return false;  // round in circles: the ray runs along the boundary, so the solids only touch
}

/// Replaces the corner of the portal that lets the ray still pass.
inline void replace_corner(const DifferencePoint& v4, Portal& portal) {
  auto& [v0, v1, v2, v3] = portal.corner;
  const Vec3 across = v4.w.cross(v0.w);
  if (v1.w.dot(across) > 0) {
    (v2.w.dot(across) > 0 ? v1 : v3) = v4;
  } else {
    (v3.w.dot(across) > 0 ? v2 : v1) = v4;
  }
}

}  // namespace mpr

/// Whether the difference holds the origin, and if so a portal whose tetrahedron does. Solids that touch
/// may be either; their depth is then 0. At the cap on refinements the answer is "outside": the origin is
/// then within rounding of the boundary.
template <class D>
bool find_portal(const D& difference, Portal& portal) {
  if (!mpr::discover(difference, portal)) return false;
  auto& [v0, v1, v2, v3] = portal.corner;
  for (int k = 0; k < kMostPortals; ++k) {
    const Vec3 n = (v2.w - v1.w).cross(v3.w - v1.w);
    portal.outward = n;
    if (n.dot(v1.w) >= 0) return true;
    const DifferencePoint v4 = difference(n);
    const double reach = v4.w.dot(n);
    if (reach <= 0) return false;
    // No farther than the portal, and the origin is beyond both.
    if (reach - v3.w.dot(n) <= 1e-15 * reach) return false;
    mpr::replace_corner(v4, portal);
  }
  return false;
}

}  // namespace grouser
