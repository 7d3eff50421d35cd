#include "geometry/triangle_intersection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "geometry/predicates.h"

namespace grouser::internal {
namespace {

using Signs = std::array<int, 3>;
using FlatTriangle = std::array<Vec2, 3>;

/// Seen along a coordinate axis.
FlatTriangle flattened(const TrianglePoints& t, int axis) {
  const auto flat = [&](const Vec3& p) { return Vec2(p[(axis + 1) % 3], p[(axis + 2) % 3]); };
  return {flat(t[0]), flat(t[1]), flat(t[2])};
}

/// Whether the line through a side has `other` on its outer side, in plain doubles: true only if it
/// is certain. `inside` is the sign of the turn of the triangle.
bool surely_separates(const Vec2& from, const Vec2& to, double inside, const FlatTriangle& other) {
  constexpr double kBound = 4 * std::numeric_limits<double>::epsilon();
  const Vec2 u = to - from;
  return std::ranges::all_of(other, [&](const Vec2& point) {
    if (point == from || point == to) return true;
    const Vec2 v = point - from;
    const double left = u.x() * v.y(), right = u.y() * v.x();
    return (left - right) * inside < -kBound * (std::abs(left) + std::abs(right));
  });
}

/// A quick look along the normal of `a`: triangles that do not overlap there do not cut each other.
/// Decides nearly all pairs of neighbours on a surface.
bool are_surely_apart(const TrianglePoints& a, const TrianglePoints& b) {
  const Vec3 normal = (a[1] - a[0]).cross(a[2] - a[0]);
  int axis = 0;
  normal.cwiseAbs().maxCoeff(&axis);
  const FlatTriangle flat_a = flattened(a, axis), flat_b = flattened(b, axis);
  const double inside = normal[axis] > 0 ? 1 : -1;
  for (std::size_t i = 0; i < 3; ++i) {
    if (surely_separates(flat_a[i], flat_a[(i + 1) % 3], inside, flat_b)) return true;
  }
  return false;
}

Signs sides_of(const TrianglePoints& plane, const TrianglePoints& points) {
  Signs signs;
  for (std::size_t i = 0; i < 3; ++i) {
    const bool is_common = std::ranges::find(plane, points[i]) != plane.end();
    signs[i] = is_common ? 0 : orientation(plane[0], plane[1], plane[2], points[i]);
  }
  return signs;
}

bool is_on_both_sides(const Signs& signs) {
  const auto [low, high] = std::ranges::minmax(signs);
  return low < 0 && high > 0;
}

/// The corner that is alone on its side: no other one has its sign.
std::size_t lonely_corner(const Signs& signs) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (signs[i] != 0 && signs[i] != signs[(i + 1) % 3] && signs[i] != signs[(i + 2) % 3]) return i;
  }
  return 0;
}

TrianglePoints beginning_at(const TrianglePoints& t, std::size_t first) {
  return {t[first], t[(first + 1) % 3], t[(first + 2) % 3]};
}

/// Overlap in one plane: no edge of either separates them.
bool overlap_in_plane(const TrianglePoints& a, const TrianglePoints& b) {
  // Seen along the axis on which the normal is longest, so that neither becomes a line.
  int axis = 0;
  (a[1] - a[0]).cross(a[2] - a[0]).cwiseAbs().maxCoeff(&axis);
  const std::array<FlatTriangle, 2> triangles = {flattened(a, axis), flattened(b, axis)};
  for (const std::size_t k : {0U, 1U}) {
    const auto& [p, q, r] = triangles[k];
    const int inside = orientation(p, q, r);
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec2 &from = triangles[k][i], &to = triangles[k][(i + 1) % 3];
      const bool separates = std::ranges::all_of(triangles[1 - k], [&](const Vec2& point) {
        return orientation(from, to, point) * inside <= 0;
      });
      if (separates) return false;
    }
  }
  return true;
}

}  // namespace

bool triangles_cut(const TrianglePoints& a, const TrianglePoints& b) {
  if (are_surely_apart(a, b)) return false;
  const Signs a_sides = sides_of(b, a);
  if (a_sides == Signs{0, 0, 0}) return overlap_in_plane(a, b);
  if (!is_on_both_sides(a_sides)) return false;
  const Signs b_sides = sides_of(a, b);
  if (!is_on_both_sides(b_sides)) return false;

  // The planes meet in a line, on which each triangle cuts out an interval, between the sides that
  // leave its lonely corner p. Corners are named so that both lonely corners lie on the positive
  // side of the other's plane.
  const std::size_t lonely_a = lonely_corner(a_sides), lonely_b = lonely_corner(b_sides);
  auto [p1, q1, r1] = beginning_at(a, lonely_a);
  auto [p2, q2, r2] = beginning_at(b, lonely_b);
  if (a_sides[lonely_a] < 0) std::swap(q2, r2);
  if (b_sides[lonely_b] < 0) std::swap(q1, r1);
  // The intervals overlap if each begins before the other ends.
  return orientation(p1, q1, p2, q2) < 0 && orientation(p1, r1, r2, p2) < 0;
}

}  // namespace grouser::internal
