#include "terrain/slope_check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "math/angle.h"
#include "terrain/flat_field.h"

namespace grouser::internal {
namespace {

constexpr double kSpacing = 0.1;

ElevationMap ground(const Vec2& gradient) {
  return ElevationMap(
      std::make_shared<FlatField>(
          FlatOptions{.gradient = gradient, .domain = {Vec2::Constant(-0.5), Vec2::Constant(0.5)}}),
      {.spacing = kSpacing});
}

TEST(ExcessSlope, OfAHeapIsThatToItsNearNeighbours) {
  ElevationMap map = ground(Vec2::Zero());
  EXPECT_NEAR(excess_slope(map, 30 * kDegree), -30 * kDegree, 1e-15);
  map.set_change(3, 4, 0.1);  // 45° to four neighbours, 35° to the diagonal ones
  EXPECT_NEAR(excess_slope(map, 30 * kDegree), 15 * kDegree, 1e-15);
  std::vector<char> held(map.grid().size(), 0);
  for (const auto& [i, j] : {std::pair{2, 4}, {4, 4}, {3, 3}, {3, 5}}) {
    held[map.grid().index(i, j)] = 1;
  }
  EXPECT_NEAR(excess_slope(map, 30 * kDegree, held), std::atan(1 / std::sqrt(2.)) - 30 * kDegree,
              1e-15);
}

// The ground falls by 40° along x: that stands, but a node that is lower by a little is steeper.
TEST(ExcessSlope, LetsTheUntouchedGroundStand) {
  const double fall = std::tan(40 * kDegree);
  ElevationMap map = ground(Vec2(-fall, 0));
  EXPECT_NEAR(excess_slope(map, 30 * kDegree), 0, 1e-14);
  map.set_change(5, 5, -0.01);
  EXPECT_NEAR(excess_slope(map, 30 * kDegree), std::atan(fall + 0.1) - 40 * kDegree, 1e-14);
}

// Where the ground is turned over, the old slope is no excuse.
TEST(ExcessSlope, OfTheOtherWayDownIsMeasuredAgainstTheLimit) {
  const double fall = std::tan(40 * kDegree);
  ElevationMap map = ground(Vec2(-fall, 0));
  for (int j = 0; j < map.grid().ny; ++j) map.set_change(0, j, -2 * kSpacing * fall);
  EXPECT_NEAR(excess_slope(map, 30 * kDegree), 10 * kDegree, 1e-14);
}

}  // namespace
}  // namespace grouser::internal
