#pragma once

#include <cmath>

#include "collision/convex.h"
#include "collision/point3.h"

/// The set of differences b - a of the points of two solids. They overlap where it holds the origin;
/// how deep is the least distance from the origin to its boundary. All in A's frame.
namespace grouser::internal {

/// How two solids overlap: A is free of B once it moved by `depth` along `normal`. In A's frame.
struct Penetration {
  Vec3 normal = Vec3::UnitZ();  ///< unit, out of B into A
  double depth = 0;             ///< [m]
  Vec3 on_a = Vec3::Zero();     ///< point of A deepest in B [m]
  Vec3 on_b = Vec3::Zero();     ///< its counterpart on B: on_a + depth normal [m]
};

/// A ball and a capsule without their radius.
struct PointCore {};
struct SegmentCore {
  double length;  ///< along z, centred [m]
};

// Support maps as in geometry/support.h, but inline and for directions whose squares neither vanish nor
// overflow.
inline Point3 farthest(const SphereShape& sphere, const Point3& direction) {
  const double size = norm(direction);
  return size > 0 ? sphere.radius / size * direction : Point3(sphere.radius, 0, 0);
}

inline Point3 farthest(const BoxShape& box, const Point3& direction) {
  return {std::copysign(0.5 * box.size.x(), direction.x),
          std::copysign(0.5 * box.size.y(), direction.y),
          std::copysign(0.5 * box.size.z(), direction.z)};
}

inline Point3 farthest(const CylinderShape& cylinder, const Point3& direction) {
  const double across = std::sqrt(direction.x * direction.x + direction.y * direction.y);
  const double scale = across > 0 ? cylinder.radius / across : 0;
  return {scale * direction.x, scale * direction.y,
          std::copysign(0.5 * cylinder.length, direction.z)};
}

inline Point3 farthest(const PointCore&, const Point3&) { return {0, 0, 0}; }
inline Point3 farthest(const SegmentCore& segment, const Point3& direction) {
  return {0, 0, std::copysign(0.5 * segment.length, direction.z)};
}

inline Point3 farthest(const CapsuleShape& capsule, const Point3& direction) {
  Point3 p = farthest(SphereShape{capsule.radius}, direction);
  p.z += std::copysign(0.5 * capsule.length, direction.z);
  return p;
}

inline Point3 farthest(const HullSolid& hull, const Point3& direction) {
  return hull.vertex(hull.farthest_index(direction));
}

template <class Solid>
Vec3 centre_of(const Solid&) {
  return Vec3::Zero();
}
inline Vec3 centre_of(const HullSolid& hull) { return hull.centre(); }

/// Radius [m] of a ball around the centre that lies in the solid.
inline double inner_radius(const SphereShape& s) { return s.radius; }
inline double inner_radius(const BoxShape& s) { return 0.5 * s.size.minCoeff(); }
inline double inner_radius(const CylinderShape& s) { return std::min(s.radius, 0.5 * s.length); }
inline double inner_radius(const CapsuleShape& s) { return s.radius; }
inline double inner_radius(const PointCore&) { return 0; }
inline double inner_radius(const SegmentCore&) { return 0; }
inline double inner_radius(const HullSolid& hull) { return hull.inner_radius(); }

/// Square of the radius [m²] of a ball around the origin that holds the solid.
inline double outer_radius2(const SphereShape& s) { return s.radius * s.radius; }
inline double outer_radius2(const BoxShape& s) { return 0.25 * s.size.squaredNorm(); }
inline double outer_radius2(const CylinderShape& s) {
  return s.radius * s.radius + 0.25 * s.length * s.length;
}
inline double outer_radius2(const CapsuleShape& s) {
  const double reach = s.radius + 0.5 * s.length;
  return reach * reach;
}
inline double outer_radius2(const PointCore&) { return 0; }
inline double outer_radius2(const SegmentCore& s) { return 0.25 * s.length * s.length; }
inline double outer_radius2(const HullSolid& hull) {
  return hull.outer_radius() * hull.outer_radius();
}

/// A point w = b - a of the difference, with its a.
struct DifferencePoint {
  Point3 w, a;
};

template <class A, class B>
struct Difference {
  const A& a;
  const B& b;
  Pose X_AB;

  /// The point farthest along a direction, which need not be a unit vector.
  DifferencePoint operator()(const Point3& direction) const {
    const Point3 on_a = farthest(a, -direction);
    const Point3 on_b = product(X_AB.R, farthest(b, transposed_product(X_AB.R, direction)));
    return {on_b + X_AB.p - on_a, on_a};
  }
  DifferencePoint centre() const {
    const Vec3 of_a = centre_of(a);
    return {Vec3(X_AB * centre_of(b) - of_a), of_a};
  }
  /// `from` near the centre, moved by a part of the solids' inner radii along a unit direction; inside.
  DifferencePoint inside(const DifferencePoint& from, const Point3& direction, double part) const {
    return {from.w + part * inner() * direction, from.a - part * inner_radius(a) * direction};
  }
  /// Radius of a ball around centre() inside the difference.
  double inner() const { return inner_radius(a) + inner_radius(b); }
  /// A length that no point of the difference near the origin exceeds much; measure of rounding.
  double size() const { return std::sqrt(outer_radius2(a)) + std::sqrt(outer_radius2(b)); }
};

}  // namespace grouser::internal
