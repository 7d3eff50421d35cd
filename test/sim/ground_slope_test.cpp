#include "sim/ground_slope.h"

#include <gtest/gtest.h>

#include <memory>

#include "assets/surface.h"

namespace grouser::internal {
namespace {

/// A ramp along x that rises by 0.3 per metre.
ElevationMap ramp() {
  return ElevationMap(
      make_surface(
          {.size = {20, 20}, .profile = ProfileSpec{.points = {Vec2(-10, -3), Vec2(10, 3)}}}),
      {.spacing = 0.1});
}

TEST(GroundSlope, IsThatOfARamp) {
  const ElevationMap map = ramp();
  const Vec3 expected = Vec3(-0.3, 0, 1).normalized();
  GroundSlope slope;
  for (const double x : {-3.01, -1.0, 0.0, 0.02, 2.5}) {
    EXPECT_LT((slope.normal(map, x, 0.7 * x, 0.07) - expected).norm(), 1e-12) << x;
  }
}

// On rough ground: the same whatever cells were visited before, and continuous where cells meet.
TEST(GroundSlope, DependsOnThePlaceAlone) {
  const ElevationMap map(make_surface({.size = {8, 8}, .noise = NoiseSpec{.rms_deviation = 0.05}}),
                         {.spacing = 0.1});
  constexpr double kSpacing = 0.07;
  GroundSlope walker;
  for (int k = -40; k < 40; ++k) {
    const double x = kSpacing * k, y = 0.3 * x;
    GroundSlope fresh;
    EXPECT_EQ(walker.normal(map, x + 0.01, y, kSpacing), fresh.normal(map, x + 0.01, y, kSpacing));
    EXPECT_LT(
        (walker.normal(map, x - 1e-9, y, kSpacing) - walker.normal(map, x + 1e-9, y, kSpacing))
            .norm(),
        1e-6);
  }
}

}  // namespace
}  // namespace grouser::internal
