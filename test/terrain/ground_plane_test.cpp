#include <cmath>

#include <gtest/gtest.h>

#include "terrain/elevation_map.h"
#include "terrain/flat_field.h"
#include "terrain/test_fields.h"

namespace grouser::internal {
namespace {

const Rect kDomain{{-10, -10}, {10, 10}};

// A polynomial in x and y, given by a function of the point.
template <class F>
class Formula final : public HeightField {
 public:
  explicit Formula(F f) : f_(f) {}
  Rect domain() const override { return kDomain; }
  SurfacePoint at(double x, double y) const override { return {f_(x, y), Vec2::Zero()}; }
  HeightRange range(const Rect&) const override { return {-1e9, 1e9}; }

 private:
  F f_;
};

template <class F>
ElevationMap map_of(F f) {
  return ElevationMap(std::make_shared<Formula<F>>(f), {.spacing = 0.1});
}

TEST(PlaneUnder, IsExactOnPlanes) {
  const Vec2 slope(0.4, -0.9);
  const ElevationMap map(
      std::make_shared<FlatField>(FlatOptions{.height = 3, .gradient = slope, .domain = kDomain}));
  CounterRng rng(1);
  for (int k = 0; k < 100; ++k) {
    const Vec2 p = random_point(rng, {{-5, -5}, {5, 5}});
    const GroundPlane plane = map.plane_under(p, rng.uniform(0.01, 4));
    EXPECT_NEAR(plane.height, 3 + slope.dot(p), 1e-13);  // measured 3e-15
    const Vec3 normal = Vec3(-slope.x(), -slope.y(), 1).normalized();
    EXPECT_NEAR((plane.normal - normal).norm(), 0, 1e-11);  // measured 2e-15
    EXPECT_NEAR(plane.rms, 0, 1e-13);                       // measured 2e-15
  }
}

// h = a |p|²: over a disc about c the mean is a(|c|² + R²/2), the slope 2 a c, and what remains,
// a(r² - R²/2), has the root mean square a R²/√12.
TEST(PlaneUnder, ParaboloidHasTheClosedForm) {
  constexpr double kA = 0.3, kR = 0.7;
  const ElevationMap map = map_of([](double x, double y) { return kA * (x * x + y * y); });
  const Vec2 c(1.2, -0.4);
  const GroundPlane plane = map.plane_under(c, kR);
  EXPECT_NEAR(plane.height, kA * (c.squaredNorm() + kR * kR / 2), 1e-14);  // measured 1e-16
  const Vec3 normal = Vec3(-2 * kA * c.x(), -2 * kA * c.y(), 1).normalized();
  EXPECT_NEAR((plane.normal - normal).norm(), 0, 1e-14);          // measured 2e-16
  EXPECT_NEAR(plane.rms, kA * kR * kR / std::sqrt(12.0), 1e-14);  // measured 3e-17
}

// h = x³ on the unit disc: the slope is <x⁴>/<x²> = (1/8)/(1/4), what remains has the mean square
// <x⁶> - <x⁴>²/<x²> = 5/64 - 1/16.
TEST(PlaneUnder, CubicHasTheClosedForm) {
  const GroundPlane plane =
      map_of([](double x, double) { return x * x * x; }).plane_under({0, 0}, 1);
  EXPECT_NEAR(plane.height, 0, 1e-15);                            // measured 3e-17
  EXPECT_NEAR(-plane.normal.x() / plane.normal.z(), 0.5, 1e-14);  // measured 0
  EXPECT_NEAR(plane.rms, std::sqrt(1.0 / 64), 1e-14);             // measured 1e-17
}

TEST(PlaneUnder, SeesTheChanges) {
  ElevationMap map(std::make_shared<FlatField>(FlatOptions{.domain = kDomain}), {.spacing = 0.1});
  for (int j = 0; j < map.grid().ny; ++j) {
    for (int i = 0; i < map.grid().nx; ++i) map.set_change(i, j, 0.2 * map.grid().node(i, j).x());
  }
  const GroundPlane plane = map.plane_under({1, 2}, 0.5);
  EXPECT_NEAR(plane.height, 0.2, 1e-14);                          // measured 1e-16
  EXPECT_NEAR(-plane.normal.x() / plane.normal.z(), 0.2, 1e-13);  // measured 2e-16
}

// Beyond the border the nearest height holds: half a disc over the edge of a slope is half level.
TEST(PlaneUnder, HoldsAtTheBorder) {
  const ElevationMap map(
      std::make_shared<FlatField>(FlatOptions{.gradient = {1, 0}, .domain = kDomain}));
  const GroundPlane plane = map.plane_under({10, 0}, 1);
  EXPECT_GT(plane.normal.z(), std::sqrt(0.5));
  EXPECT_LT(plane.normal.x(), 0);
  EXPECT_NEAR(plane.height, 10 - 2 / (3 * M_PI),
              0.01);  // mean of (-x)₊ over the disc; measured 2e-3
}

}  // namespace
}  // namespace grouser::internal
