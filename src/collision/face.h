#pragma once

#include <array>

#include "collision/difference.h"

/// The part of a solid's surface that faces another solid, as points of a plane across the contact normal
/// with heights along it.
namespace grouser::internal {

/// Coordinates across (u, v) and along (n) a contact normal, for points given in a solid's own frame S.
struct ContactFrame {
  std::array<Point3, 3> axis;  // S's axes in these coordinates
  Point3 origin;               // S's origin in these coordinates [m]

  Point3 normal() const { return {axis[0].z, axis[1].z, axis[2].z}; }  // of the contact, in S
  Point3 turn(const Point3& p) const { return p.x * axis[0] + p.y * axis[1] + p.z * axis[2]; }
  Point3 operator()(const Point3& p) const { return origin + turn(p); }
};

struct Face {
  static constexpr int kMostCorners = HullSolid::kMostCorners;

  int count = 0;                            // 1: a point, 2: a line, else a flat polygon
  std::array<Point3, kMostCorners> corner;  // u, v, height [m]
  Point3 plane;                             // polygon only: height = plane · (u, v, 1)
  double turn = 1;       // polygon only: +1 if anticlockwise in u, v; -1 if clockwise
  double curvature = 0;  // 1 / radius of the surface there; 0 if flat [1/m]

  void add(const Point3& p) { corner[static_cast<std::size_t>(count++)] = p; }
  double height(const Point3& p) const { return plane.x * p.x + plane.y * p.y + plane.z; }
};

/// 1 / radius of the surface [1/m] where it is farthest along a unit direction in the solid's frame; 0 if it
/// is flat there. The rim of a cylinder is in between.
inline double curvature_towards(const SphereShape& s, const Point3&) { return 1 / s.radius; }
inline double curvature_towards(const CapsuleShape& s, const Point3&) { return 1 / s.radius; }
inline double curvature_towards(const CylinderShape& s, const Point3& direction) {
  return (direction.x * direction.x + direction.y * direction.y) / s.radius;
}
inline double curvature_towards(const BoxShape&, const Point3&) { return 0; }
inline double curvature_towards(const HullSolid&, const Point3&) { return 0; }

/// The face that looks most along `side` n (side is +1 or -1); it holds the solid's farthest point in that
/// direction. `depth` of the contact [m]: a round edge that dips in deeper than that is no flat face.
void find_face(const BoxShape& solid, const ContactFrame& frame, double side, double depth,
               Face& face);
void find_face(const CylinderShape& solid, const ContactFrame& frame, double side, double depth,
               Face& face);
void find_face(const CapsuleShape& solid, const ContactFrame& frame, double side, double depth,
               Face& face);
void find_face(const HullSolid& solid, const ContactFrame& frame, double side, double depth,
               Face& face);

}  // namespace grouser::internal
