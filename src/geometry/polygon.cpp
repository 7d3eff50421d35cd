#include "geometry/polygon.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <vector>

namespace grouser::internal {
namespace {

/// A polygon seen along its mean normal.
class FlatPolygon {
 public:
  FlatPolygon(std::span<const Vec3> vertices, std::span<const std::int32_t> corners) {
    const Vec3& origin = vertices[slot(corners[0])];
    Vec3 normal = Vec3::Zero();
    for (std::size_t i = 2; i < corners.size(); ++i) {
      normal +=
          (vertices[slot(corners[i - 1])] - origin).cross(vertices[slot(corners[i])] - origin);
    }
    const Vec3 z = normal.normalized();
    const Vec3 x = z.unitOrthogonal(), y = z.cross(x);
    for (const std::int32_t corner : corners) {
      const Vec3 r = vertices[slot(corner)] - origin;
      points_.emplace_back(x.dot(r), y.dot(r));
    }
  }

  /// Twice the area of the triangle, positive if it turns left.
  double turn(std::size_t a, std::size_t b, std::size_t c) const {
    const Vec2 u = points_[b] - points_[a], v = points_[c] - points_[a];
    return u.x() * v.y() - u.y() * v.x();
  }

  bool is_inside(std::size_t p, std::size_t a, std::size_t b, std::size_t c) const {
    // Corners of the polygon that coincide with those of the triangle do not spoil the ear.
    for (const std::size_t corner : {a, b, c}) {
      if (points_[p] == points_[corner]) return false;
    }
    return turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0;
  }

  bool is_fan() const {
    for (std::size_t i = 2; i < points_.size(); ++i) {
      if (turn(0, i - 1, i) < 0) return false;
    }
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (turn(i, (i + 1) % points_.size(), (i + 2) % points_.size()) < 0) return false;
    }
    return true;
  }

 private:
  std::vector<Vec2> points_;
};

/// Position in `rest` of an ear: a corner that turns left and whose triangle holds no other corner.
/// A polygon that does not cross itself has two; of another one just some corner.
std::size_t find_ear(const FlatPolygon& polygon, const std::vector<std::size_t>& rest,
                     std::uint64_t& budget) {
  const std::size_t n = rest.size();
  for (std::size_t i = 0; i < n && budget > n; ++i) {
    const std::size_t a = rest[(i + n - 1) % n], b = rest[i], c = rest[(i + 1) % n];
    if (polygon.turn(a, b, c) <= 0) continue;
    budget -= n;
    const auto spoils = [&](std::size_t p) {
      return p != a && p != b && p != c && polygon.is_inside(p, a, b, c);
    };
    if (std::ranges::none_of(rest, spoils)) return i;
  }
  return 0;
}

}  // namespace

bool cut_polygon(std::span<const Vec3> vertices, std::span<const std::int32_t> corners,
                 std::span<Triangle> triangles, std::uint64_t& budget) {
  assert(corners.size() >= 3 && triangles.size() == corners.size() - 2);
  const FlatPolygon polygon(vertices, corners);
  if (polygon.is_fan()) {
    for (std::size_t i = 2; i < corners.size(); ++i) {
      triangles[i - 2] = {corners[0], corners[i - 1], corners[i]};
    }
    return true;
  }
  std::vector<std::size_t> rest(corners.size());
  std::iota(rest.begin(), rest.end(), 0);
  for (Triangle& triangle : triangles) {
    const std::size_t n = rest.size(), i = find_ear(polygon, rest, budget);
    triangle = {corners[rest[(i + n - 1) % n]], corners[rest[i]], corners[rest[(i + 1) % n]]};
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return budget > corners.size();
}

}  // namespace grouser::internal
