#include "terrain/polygon.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace grouser::internal {
namespace {

// Twice the area of the triangle a, b, c; positive if it turns left.
double turn(const Vec2& a, const Vec2& b, const Vec2& c) {
  return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

int sign(double x) { return (x > 0) - (x < 0); }

bool overlap(double a0, double a1, double b0, double b1) {
  return std::min(a0, a1) <= std::max(b0, b1) && std::min(b0, b1) <= std::max(a0, a1);
}

// Whether two edges have a point in common.
bool meet(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  if (!overlap(a.x(), b.x(), c.x(), d.x()) || !overlap(a.y(), b.y(), c.y(), d.y())) return false;
  return sign(turn(a, b, c)) * sign(turn(a, b, d)) <= 0 &&
         sign(turn(c, d, a)) * sign(turn(c, d, b)) <= 0;
}

// The first pair of edges that meet though they should not; edge k leads from corner k to the next.
std::string crossing(const std::vector<Vec2>& corners) {
  const std::size_t n = corners.size();
  const auto corner = [&](std::size_t k) { return corners[k % n]; };
  for (std::size_t k = 0; k < n; ++k) {
    // Back along the edge before: a spike.
    const Vec2 in = corner(k + 1) - corner(k), out = corner(k + 2) - corner(k + 1);
    if (turn(corner(k), corner(k + 1), corner(k + 2)) == 0 && in.dot(out) < 0) {
      return fmt::format("turns back on itself at corner {}", (k + 1) % n);
    }
    for (std::size_t m = k + 2; m < n; ++m) {
      if (k == 0 && m == n - 1) continue;  // neighbours around the end
      if (meet(corner(k), corner(k + 1), corner(m), corner(m + 1))) {
        return fmt::format("cuts itself: the edges after corners {} and {} meet", k, m);
      }
    }
  }
  return "";
}

}  // namespace

std::string polygon_defect(const std::vector<Vec2>& corners) {
  constexpr std::size_t kMaxCorners = 20'000;  // every pair of edges is compared
  if (corners.size() < 3) return "has less than three corners";
  if (corners.size() > kMaxCorners) return fmt::format("has more than {} corners", kMaxCorners);
  double area = 0;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Vec2& next = corners[(k + 1) % corners.size()];
    if (!corners[k].allFinite()) return fmt::format("is not finite at corner {}", k);
    if (corners[k] == next) return fmt::format("repeats corner {}", k);
    area += turn(corners[0], corners[k], next);
  }
  if (area == 0) return "has no area";
  return crossing(corners);
}

// Counts the edges that a ray towards +x meets. An edge holds its lower end and not its upper one,
// and is always seen from its lower end, so that either direction gives the same rounding.
bool polygon_contains(const std::vector<Vec2>& corners, const Vec2& point) {
  bool inside = false;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Vec2* low = &corners[k];
    const Vec2* high = &corners[(k + 1) % corners.size()];
    if (low->y() > high->y()) std::swap(low, high);
    if (low->y() <= point.y() && point.y() < high->y()) inside ^= turn(*low, *high, point) > 0;
  }
  return inside;
}

Rect polygon_bounds(const std::vector<Vec2>& corners) {
  Rect bounds{corners.front(), corners.front()};
  for (const Vec2& corner : corners) {
    bounds = {bounds.lower.cwiseMin(corner), bounds.upper.cwiseMax(corner)};
  }
  return bounds;
}

}  // namespace grouser::internal
