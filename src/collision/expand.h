#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "collision/lanes.h"
#include "collision/mpr.h"

/// The least depth of two overlapping solids: a polytope inside their difference grows, always where it is
/// nearest to the origin, until that place is the difference's own boundary. Finds the global least, for
/// any two convex solids, exactly for polyhedra. After G. van den Bergen, "Proximity queries and
/// penetration depth computation on 3D game objects", GDC (2001).
namespace grouser::internal {

class Polytope {
 public:
  static constexpr int kMostPoints = 160;
  static constexpr int kMostFaces = 2 * kMostPoints;  // a closed one has 2 points - 4

  using Triangle = std::array<DifferencePoint, 3>;

  struct Face {
    std::array<int, 3> corner;  // anticlockwise seen from outside
    Point3 normal;              // unit
    double distance;            // of its plane from the origin
  };

  /// The hull of two triangles, both anticlockwise about the direction from `base` to `top`.
  Polytope(const Triangle& base, const Triangle& top, double rounding);

  Face nearest() const;
  /// Grows to hold the point as well. False, and no change, if there is no room or it is not outside.
  bool add(const DifferencePoint& point);
  Triangle corners(const Face& face) const;

 private:
  using Corners = std::array<std::uint8_t, 3>;

  bool is_convex() const;
  void restart_from_tetrahedron();
  /// Eight at a time: `corners` are padded up to a multiple of that with any corners.
  void add_faces(const Corners* corners, int count);
  void move_face(int from, int to);

  std::array<DifferencePoint, kMostPoints> point_;
  // Faces, each kind of value side by side, with room to write eight at once.
  using Column = std::array<double, kMostFaces + kLanes>;
  Column x_, y_, z_;  // of the normal, as long as the face's doubled area
  Column offset_;     // of the plane along that normal
  Column tolerance_;  // square of the offset that is within rounding
  Column distance2_;  // square of the distance from the origin, with its sign
  std::array<Corners, kMostFaces + kLanes> corner_;
  int points_ = 0, faces_ = 0;
  double rounding_;
};

/// The first polytope: the portal, and a triangle around the inner point, square to the ray, that lies in the
/// inner balls. So wide a base keeps the sides away from the origin.
template <class D>
Polytope first_polytope(const D& difference, const Portal& portal) {
  constexpr double kPart = 0.9;
  const DifferencePoint& v0 = portal.corner[0];
  // Each corner of the base lies across the ray from one of the portal's: the hull is an octahedron.
  const double square = dot(v0.w, v0.w);
  const auto opposite = [&](int k) {
    const Point3& w = portal.corner[slot(k)].w;
    const Point3 across = dot(w, v0.w) * v0.w - square * w;
    const double size = norm(across);
    return difference.inside(v0, size > 0 ? 1 / size * across : Point3(0, 0, 0), kPart);
  };
  return Polytope({opposite(3), opposite(1), opposite(2)},
                  {portal.corner[1], portal.corner[2], portal.corner[3]},
                  1e-14 * difference.size());
}

/// Point of A that belongs to the foot of the origin on a triangle with the given unit normal.
Point3 on_a_below(const Polytope::Triangle& face, const Point3& normal);

/// The plane of least overlap so far.
struct LeastPlane {
  double depth = std::numeric_limits<double>::infinity();
  Point3 normal;
  Polytope::Triangle face;  // nearest to it
};

/// Moves the portal outwards until it is a face of the difference, if a few steps lead there: cheaper than
/// growing a polytope, and for shallow overlaps often the nearest face.
template <class D>
LeastPlane push_out(const D& difference, double tolerance, Portal& portal) {
  constexpr int kMostSteps = 8;
  LeastPlane least;
  const auto& [v0, v1, v2, v3] = portal.corner;
  for (int k = 0; k < kMostSteps; ++k) {
    const Point3 n = cross(v2.w - v1.w, v3.w - v1.w);
    const DifferencePoint reached = difference(n);  // without waiting for the root
    const double size = norm(n);
    if (size == 0) break;
    const double along = dot(reached.w, n), reach = along / size;
    if (reach < least.depth) least = {reach, 1 / size * n, {v1, v2, v3}};
    if (along - dot(v1.w, n) <= tolerance * along) break;
    mpr::replace_corner(reached, portal);
  }
  return least;
}

/// Whether a ball around the origin fits into a frustum of the difference: its top is the portal, its bottom is
/// like the portal and lies in the ball around the inner point. If so, no plane is nearer than the ball's radius.
template <class D>
bool holds_ball(const D& difference, const Portal& portal, double radius) {
  constexpr double kPart =
      0.99;  // of the inner ball, since the inner point may be a little off its centre
  const auto& [v0, v1, v2, v3] = portal.corner;
  const Point3 centre = 1.0 / 3 * (v1.w + v2.w + v3.w);
  const std::array<Point3, 3> out = {v1.w - centre, v2.w - centre, v3.w - centre};
  const double size2 = std::max({dot(out[0], out[0]), dot(out[1], out[1]), dot(out[2], out[2])});
  const double scale = kPart * difference.inner() / std::sqrt(size2);
  const auto is_beyond = [&](const Point3& normal, const Point3& p) {
    const double along = dot(normal, p);
    return along > 0 && along * along >= radius * radius * dot(normal, normal);
  };
  const Point3 up = cross(v2.w - v1.w, v3.w - v1.w), down = -up;
  bool is_inside = is_beyond(up, v1.w) && is_beyond(down, v0.w);
  for (std::size_t k = 0; k < 3; ++k) {
    const Point3 top = centre + out[k], bottom = v0.w + scale * out[k];
    is_inside &= is_beyond(cross(out[k < 2 ? k + 1 : 0] - out[k], top - bottom), top);
  }
  return is_inside;
}

/// Grows a polytope from the portal until its nearest face is the least plane, or comes as close as wanted.
template <class D>
void grow(const D& difference, const Portal& portal, double tolerance, LeastPlane& least) {
  Polytope polytope = first_polytope(difference, portal);
  for (;;) {
    const Polytope::Face face = polytope.nearest();
    if (least.depth - face.distance <= tolerance * least.depth) break;
    const DifferencePoint reached = difference(face.normal);
    const double reach = dot(reached.w, face.normal);
    if (reach < least.depth) least = {reach, face.normal, polytope.corners(face)};
    if (least.depth - face.distance <= tolerance * least.depth || !polytope.add(reached)) break;
  }
}

/// `portal` as find_portal() gives it. At the cap on points, the best plane found so far, which always
/// frees A: the depth is then too large by less than the square of the last points' spacing over the
/// radius of curvature.
template <class D>
Penetration expand(const D& difference, Portal portal, double tolerance) {
  LeastPlane least = push_out(difference, tolerance, portal);
  if (!holds_ball(difference, portal, (1 - tolerance) * least.depth)) {
    grow(difference, portal, tolerance, least);
  }
  const Point3 on_a = on_a_below(least.face, least.normal);
  return {least.normal, least.depth, on_a, on_a + least.depth * least.normal};
}

}  // namespace grouser::internal
