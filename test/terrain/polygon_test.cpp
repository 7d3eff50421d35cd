#include "terrain/polygon.h"

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "terrain/test_fields.h"

namespace grouser::internal {
namespace {

using testing::HasSubstr;
using Corners = std::vector<Vec2>;

// Rotation of the point's direction around the polygon: an independent way to tell inside.
bool winds_around(const Corners& corners, const Vec2& p) {
  double angle = 0;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Vec2 a = corners[k] - p, b = corners[(k + 1) % corners.size()] - p;
    angle += std::atan2(a.x() * b.y() - a.y() * b.x(), a.dot(b));
  }
  return std::abs(angle) > std::numbers::pi;
}

TEST(Polygon, HoldsWhatItWindsAround) {
  Corners star;  // ten spikes, corners at random distances
  CounterRng rng(1);
  for (int k = 0; k < 20; ++k) {
    const double angle = 2 * std::numbers::pi * k / 20, radius = rng.uniform(0.2, 2);
    star.push_back({radius * std::cos(angle), radius * std::sin(angle)});
  }
  Corners reversed(star.rbegin(), star.rend());
  EXPECT_EQ(polygon_defect(star), "");
  for (int k = 0; k < 5000; ++k) {
    const Vec2 p = random_point(rng, {{-2, -2}, {2, 2}});
    EXPECT_EQ(polygon_contains(star, p), winds_around(star, p));
    EXPECT_EQ(polygon_contains(reversed, p), winds_around(star, p));
  }
}

// A plane cut into triangles around a common corner: every point, those on edges and corners too,
// belongs to exactly one.
TEST(Polygon, NeighboursLeaveNoGapAndDoNotOverlap) {
  const Corners rim = {{3, 0}, {3, 3}, {0, 3}, {-3, 3}, {-3, 0}, {-3, -3}, {0, -3}, {3, -3}};
  const Vec2 hub(0.3, 0.1);
  const auto holders = [&](const Vec2& p) {
    int count = 0;
    for (std::size_t k = 0; k < rim.size(); ++k) {
      count += polygon_contains({hub, rim[k], rim[(k + 1) % rim.size()]}, p);
    }
    return count;
  };
  CounterRng rng(2);
  for (int k = 0; k < 5000; ++k) {
    const double t = rng.uniform(0, 0.99);
    EXPECT_EQ(holders(hub + t * (rim[rng.index(rim.size())] - hub)), 1);
  }
  EXPECT_EQ(holders(hub), 1);
}

TEST(Polygon, SquareHoldsItsLowerAndLeftBorder) {
  const Corners square = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  EXPECT_TRUE(polygon_contains(square, {0, 0.5}));
  EXPECT_TRUE(polygon_contains(square, {0.5, 0}));
  EXPECT_TRUE(polygon_contains(square, {0, 0}));
  EXPECT_FALSE(polygon_contains(square, {1, 0.5}));
  EXPECT_FALSE(polygon_contains(square, {0.5, 1}));
  EXPECT_FALSE(polygon_contains(square, {NAN, 0.5}));
}

TEST(PolygonDefect, SaysWhatIsWrong) {
  EXPECT_EQ(polygon_defect({{0, 0}, {1, 0}, {0, 1}}), "");
  EXPECT_THAT(polygon_defect({{0, 0}, {1, 0}}), HasSubstr("three corners"));
  EXPECT_THAT(polygon_defect({{0, 0}, {1, 0}, {NAN, 1}}), HasSubstr("not finite at corner 2"));
  EXPECT_THAT(polygon_defect({{0, 0}, {1, 0}, {1, 0}, {0, 1}}), HasSubstr("repeats corner 1"));
  EXPECT_THAT(polygon_defect({{0, 0}, {1, 1}, {2, 2}}), HasSubstr("no area"));
  EXPECT_THAT(polygon_defect({{0, 0}, {2, 2}, {2, 0}, {0, 3}}), HasSubstr("cuts itself"));
  EXPECT_THAT(polygon_defect({{0, 0}, {4, 0}, {4, 4}, {2, 0}, {0, 4}}), HasSubstr("cuts itself"));
  EXPECT_THAT(polygon_defect({{0, 0}, {3, 0}, {3, 3}, {3, 1}, {0, 1}}), HasSubstr("turns back"));
}

}  // namespace
}  // namespace grouser::internal
