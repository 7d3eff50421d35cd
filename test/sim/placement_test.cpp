#include "sim/placement.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/wheel_gap.h"

namespace grouser::internal {
namespace {

TEST(DistanceInsideHull, OfASquare) {
  const std::vector<Vec2> square = {{0, 0}, {2, 2}, {2, 0}, {0, 2}, {1, 1}};
  EXPECT_DOUBLE_EQ(distance_inside_hull({1, 1}, square), 1);
  EXPECT_DOUBLE_EQ(distance_inside_hull({1, 1.75}, square), 0.25);
  EXPECT_DOUBLE_EQ(distance_inside_hull({1, 3}, square), -1);
  EXPECT_DOUBLE_EQ(distance_inside_hull({5, 6}, square), -5);            // from a corner: 3-4-5
  EXPECT_LT(distance_inside_hull({1, 0}, {{0, 0}, {2, 0}, {1, 0}}), 0);  // on a line nothing stands
}

// A cylinder of radius r above a plane that rises by the angle a along its way: r / cos a below its centre.
TEST(WheelGap, OnSlopes) {
  for (const double angle : {0.0, 0.05, 0.2, 0.35, -0.35}) {
    const WheelPose wheel{.centre = {1, 2, 0.5}, .radius = 0.2, .width = 0.1};
    const WheelGap along =
        wheel_gap(wheel, [angle](double x, double) { return std::tan(angle) * (x - 1); });
    EXPECT_NEAR(along.least, 0.5 - 0.2 / std::cos(angle), 5e-6) << angle;  // measured 3e-6
    // Across: on an edge.
    const WheelGap across =
        wheel_gap(wheel, [angle](double, double y) { return std::tan(angle) * (y - 2); });
    EXPECT_NEAR(across.least, 0.3 - 0.05 * std::abs(std::tan(angle)), 1e-12) << angle;
  }
}

TEST(WheelGap, SmoothOneStaysNear) {
  const WheelPose wheel{.centre = {0, 0, 0.2}, .radius = 0.2, .width = 0.1};
  const auto dip = [](double x, double) { return 0.5 * std::abs(x); };
  const WheelGap gap = wheel_gap(wheel, dip);
  EXPECT_LE(gap.smooth, gap.least);
  EXPECT_GT(gap.smooth, gap.least - 2e-3);
  // It touches on both sides, where the rim is as steep as the ground: 0.2 (1/cos - 1) deeper than on the level.
  EXPECT_NEAR(gap.point.x(), 0, 1e-12);
  EXPECT_NEAR(gap.least, 0.2 - 0.2 * std::sqrt(1.25), 1e-4);
}

}  // namespace
}  // namespace grouser::internal
