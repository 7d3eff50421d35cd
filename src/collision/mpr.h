#pragma once

#include <array>
#include <numbers>
#include <utility>

#include "collision/difference.h"

/// Minkowski portal refinement: whether the difference of two convex solids holds the origin. A portal
/// is a triangle of the difference through which the ray from an inner point to the origin passes; it
/// moves outwards until the origin lies on one side for sure. After G. Snethen, "XenoCollide: complex
/// collision made simple", Game Programming Gems 7 (2008).
namespace grouser::internal {

/// corner[0] is the inner point, the others are the portal, anticlockwise seen from outside. Holds the
/// origin if the solids overlap.
struct Portal {
  std::array<DifferencePoint, 4> corner;
  Point3 outward;  ///< of the last supporting plane; not a unit vector
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
  if (dot(inner.w, inner.w) < least * least) inner.w.x += 2 * least;
  return inner;
}

/// Square to v, which is not zero.
inline Point3 any_across(const Point3& v) {
  return std::abs(v.x) < std::abs(v.z) ? Point3(0, -v.z, v.y) : Point3(-v.y, v.x, 0);
}

enum class Found { outside, portal, nothing };

/// A first portal around the ray: points farthest along it and along three directions tilted off it. Nothing
/// if the ray does not pass between them.
template <class D>
Found surround(const D& difference, Portal& portal) {
  constexpr double kTilt = 0.4;  // tangent of the angle: a portal small, yet likely to hold the ray
  constexpr double kCos = -0.5, kSin = 0.5 * std::numbers::sqrt3;  // of 120°
  const DifferencePoint v0 = inner_point(difference);
  portal.corner[0] = v0;
  portal.outward = -v0.w;
  const DifferencePoint tip = portal.corner[1] = difference(portal.outward);
  if (dot(tip.w, portal.outward) <= 0) return Found::outside;
  const Point3 ray = portal.outward, across = any_across(ray);
  const double size = norm(ray), tilt = kTilt * size / norm(across);
  const Point3 x = tilt * across, y = 1 / size * cross(ray, x);
  const std::array<Point3, 3> way = {ray + x, ray + kCos * x + kSin * y, ray + kCos * x - kSin * y};
  std::array<DifferencePoint, 3> v;
  for (std::size_t k = 0; k < 3; ++k) {
    v[k] = difference(way[k]);
    if (dot(v[k].w, way[k]) <= 0) {
      portal.outward = way[k];
      return Found::outside;
    }
  }
  // Of the plane through v0 and two points: negative if the ray passes on its left.
  const auto side = [&](const Point3& p, const Point3& q) { return dot(cross(p, q), v0.w); };
  std::array<double, 3> to;
  for (std::size_t k = 0; k < 3; ++k) {
    if (side(v[k].w, v[k < 2 ? k + 1 : 0].w) >= 0) return Found::nothing;
    to[k] = side(tip.w, v[k].w);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t next = k < 2 ? k + 1 : 0;
    if (to[k] < 0 && to[next] > 0) {
      portal.corner = {v0, tip, v[k], v[next]};
      return Found::portal;
    }
  }
  portal.corner = {v0, v[0], v[1], v[2]};  // the tip is one of them
  return Found::portal;
}

/// A first portal, wherever it may be. False if the origin was found outside. The inner point and the point
/// farthest along the ray are there already.
template <class D>
bool discover(const D& difference, Portal& portal) {
  auto& [v0, v1, v2, v3] = portal.corner;
  Point3 n = cross(v1.w, v0.w);
  // On one line to rounding: any plane through the ray will do.
  if (dot(n, n) <= 1e-24 * dot(v1.w, v1.w) * dot(v0.w, v0.w)) n = any_across(v0.w);
  portal.outward = n;
  v2 = difference(n);
  if (dot(v2.w, n) <= 0) return false;
  n = cross(v1.w - v0.w, v2.w - v0.w);
  if (dot(n, v0.w) > 0) {
    std::swap(v1, v2);
    n = -n;
  }
  for (int k = 0; k < kMostPortals; ++k) {
    portal.outward = n;
    v3 = difference(n);
    if (dot(v3.w, n) <= 0) return false;
    if (dot(cross(v1.w, v3.w), v0.w) < 0) {
      v2 = v3;
    } else if (dot(cross(v3.w, v2.w), v0.w) < 0) {
      v1 = v3;
    } else {
      return true;
    }
    n = cross(v1.w - v0.w, v2.w - v0.w);
  }
  return false;  // round in circles: the ray runs along the boundary, so the solids only touch
}

/// Replaces the corner of the portal that lets the ray still pass. Which one cannot be foreseen: looked up
/// instead of branched upon.
inline void replace_corner(const DifferencePoint& v4, Portal& portal) {
  const auto& [v0, v1, v2, v3] = portal.corner;
  const Point3 across = cross(v4.w, v0.w);
  const auto is_left = [&](const DifferencePoint& v) { return dot(v.w, across) > 0 ? 1U : 0U; };
  constexpr std::array<std::size_t, 8> kReplaced = {1, 3, 1, 1, 2, 3, 2, 1};
  portal.corner[kReplaced[is_left(v1) | is_left(v2) << 1 | is_left(v3) << 2]] = v4;
}

}  // namespace mpr

/// Whether the difference holds the origin, and if so a portal whose tetrahedron does. Solids that touch
/// may be either; their depth is then 0. At the cap on refinements the answer is "outside": the origin is
/// then within rounding of the boundary.
template <class D>
bool find_portal(const D& difference, Portal& portal) {
  const mpr::Found found = mpr::surround(difference, portal);
  if (found == mpr::Found::outside) return false;
  if (found == mpr::Found::nothing && !mpr::discover(difference, portal)) return false;
  auto& [v0, v1, v2, v3] = portal.corner;
  for (int k = 0; k < kMostPortals; ++k) {
    const Point3 n = cross(v2.w - v1.w, v3.w - v1.w);
    portal.outward = n;
    if (dot(n, v1.w) >= 0) return true;
    const DifferencePoint v4 = difference(n);
    const double reach = dot(v4.w, n);
    if (reach <= 0) return false;
    // No farther than the portal, and the origin is beyond both.
    if (reach - dot(v3.w, n) <= 1e-15 * reach) return false;
    mpr::replace_corner(v4, portal);
  }
  return false;
}

}  // namespace grouser::internal
