#include <cmath>

#include <gtest/gtest.h>

#include "terrain/elevation_map.h"
#include "terrain/flat_field.h"
#include "terrain/test_fields.h"

namespace grouser::internal {
namespace {

constexpr double kFar = 1e6;
const Rect kRayDomain{{-10, -10}, {10, 10}};

ElevationMap level_map(double height) {
  return ElevationMap(
      std::make_shared<FlatField>(FlatOptions{.height = height, .domain = kRayDomain}));
}

double defect(const ElevationMap& map, const RayHit& hit) {
  return std::abs(hit.point.z() - map.height(hit.point.x(), hit.point.y()));
}

TEST(RayCast, VerticalRaysMeetALevelMap) {
  const ElevationMap map = level_map(2);
  const auto down = map.ray_cast({1, 2, 5}, {0, 0, -7}, kFar);
  ASSERT_TRUE(down);
  EXPECT_DOUBLE_EQ(down->distance, 3);
  EXPECT_NEAR((down->point - Vec3(1, 2, 2)).norm(), 0, 1e-9);  // measured 0
  EXPECT_EQ(down->normal, Vec3(0, 0, 1));
  const auto up = map.ray_cast({1, 2, -1}, {0, 0, 1}, kFar);
  ASSERT_TRUE(up);
  EXPECT_DOUBLE_EQ(up->distance, 3);
  EXPECT_FALSE(map.ray_cast({1, 2, 5}, {0, 0, 1}, kFar));
  EXPECT_FALSE(map.ray_cast({1, 2, 5}, {0, 0, -1}, 2.999));
  EXPECT_TRUE(map.ray_cast({1, 2, 5}, {0, 0, -1}, INFINITY));
}

TEST(RayCast, LevelAndFruitlessRays) {
  const ElevationMap map = level_map(2);
  EXPECT_FALSE(map.ray_cast({-20, 0, 2.1}, {1, 0, 0}, INFINITY));
  EXPECT_FALSE(map.ray_cast({-20, 0, 1.9}, {1, 0.1, 0}, INFINITY));
  EXPECT_FALSE(map.ray_cast({20, 0, 5}, {0, 0, -1}, INFINITY));   // beside the map
  EXPECT_FALSE(map.ray_cast({0, 0, 5}, {1, 0, -0.1}, INFINITY));  // leaves it first
  EXPECT_FALSE(map.ray_cast({0, 0, 5}, {0, 0, 0}, INFINITY));
  EXPECT_FALSE(map.ray_cast({NAN, 0, 5}, {0, 0, -1}, INFINITY));
  EXPECT_FALSE(map.ray_cast({0, 0, 5}, {0, 0, -1}, NAN));
  const auto graze = map.ray_cast({0, 0, 2}, {1, 0, 0}, 1);  // starts on the ground
  ASSERT_TRUE(graze);
  EXPECT_EQ(graze->distance, 0);
}

TEST(RayCast, SlantedRayFromFarOutside) {
  const ElevationMap map(
      std::make_shared<FlatField>(FlatOptions{.gradient = {0.5, 0}, .domain = kRayDomain}));
  // From (-1000, 1, 1004) along (1, 0, -1): z = 4 - x meets x / 2 at x = 8/3.
  const auto hit = map.ray_cast({-1000, 1, 1004}, {1, 0, -1}, kFar);
  ASSERT_TRUE(hit);
  EXPECT_NEAR((hit->point - Vec3(8.0 / 3, 1, 4.0 / 3)).norm(), 0, 1e-9);        // measured 8e-16
  EXPECT_NEAR(hit->distance, (1000 + 8.0 / 3) * std::sqrt(2.0), 1e-9);          // measured 2e-13
  EXPECT_NEAR((hit->normal - Vec3(-0.5, 0, 1).normalized()).norm(), 0, 1e-15);  // measured 0
}

// Marching in steps of a tenth of the finest cell needs no bounds; it finds the same first change
// of sign.
std::optional<double> march(const ElevationMap& map, const Vec3& origin, const Vec3& along,
                            double length) {
  const double step = 0.1 * map.grid().spacing;
  double before = origin.z() - map.height(origin.x(), origin.y());
  for (double s = 0; s < length; s += step) {
    const Vec3 p = origin + (s + step) * along;
    if (!map.domain().contains(p.head<2>())) return std::nullopt;
    const double f = p.z() - map.height(p.x(), p.y());
    if (before * f <= 0) return s + step * before / (before - f);
    before = f;
  }
  return std::nullopt;
}

TEST(RayCast, AgreesWithMarching) {
  const GridSpec grid{.origin = {-5, -5}, .spacing = 0.5, .nx = 21, .ny = 21};
  for (const Interpolation interpolation : {Interpolation::bilinear, Interpolation::bicubic}) {
    const auto base = std::make_shared<RasterField>(random_raster(grid, 1, interpolation));
    ElevationMap map(base, {.spacing = 0.05, .interpolation = interpolation});
    CounterRng rng(2);
    for (int k = 0; k < 10'000; ++k) {  // a rough patch
      map.set_change(static_cast<int>(40 + rng.index(60)), static_cast<int>(30 + rng.index(60)),
                     rng.uniform(-0.02, 0.02));
    }
    int hits = 0, apart = 0;
    for (int k = 0; k < 400; ++k) {
      const Vec2 p = random_point(rng, map.domain());
      const Vec3 origin(p.x(), p.y(), rng.uniform(-1.5, 1.5));
      const Vec3 along = Vec3(rng.normal(), rng.normal(), rng.uniform(-0.3, 0.3)).normalized();
      const double length = 8;
      const auto hit = map.ray_cast(origin, along, length);
      const auto marched = march(map, origin, along, length);
      if (hit) {
        ++hits;
        EXPECT_LE(defect(map, *hit), 1e-9);  // measured 1e-10
        EXPECT_NEAR((hit->point - origin - hit->distance * along).norm(), 0, 1e-12);  // 2e-15
      }
      // The finer march sees grazed humps that may be missed; never the other way round.
      apart += hit.has_value() != marched.has_value() ||
               (hit && std::abs(hit->distance - *marched) > 1e-3);
      if (hit && marched) {
        EXPECT_GE(hit->distance, *marched - 1e-3);
      }
    }
    EXPECT_GT(hits, 150);
    EXPECT_LE(apart, 4);  // measured at most 3
  }
}

TEST(RayCast, HitsFromBelowToo) {
  const auto base = std::make_shared<CountedHills>(kRayDomain, 0.5, 1.0);
  const ElevationMap map(base);
  CounterRng rng(3);
  for (int k = 0; k < 200; ++k) {
    const Vec2 p = random_point(rng, kRayDomain);
    const auto hit = map.ray_cast({p.x(), p.y(), -3}, {0, 0, 1}, 10);
    ASSERT_TRUE(hit);
    EXPECT_NEAR(hit->distance, 3 + 0.5 * std::sin(p.x()) * std::cos(p.y()), 1e-9);  // 4e-16
    EXPECT_GT(hit->normal.z(), 0);
  }
}

TEST(RayCast, LooksAtFewPlacesOfALargeMap) {
  const auto base = std::make_shared<CountedHills>(Rect{{-500, -500}, {500, 500}}, 5.0, 0.05);
  ElevationMap map(base, {.spacing = 0.005});
  for (int i = 0; i < 1000; ++i) map.set_change(100'000 + i, 100'000, -0.02);
  CounterRng rng(4);
  long worst = 0, total = 0;
  for (int k = 0; k < 100; ++k) {
    const Vec2 from = random_point(rng, map.domain()), to = random_point(rng, map.domain());
    const Vec3 origin(from.x(), from.y(), 20), target(to.x(), to.y(), -10);
    base->evaluations = 0;
    ASSERT_TRUE(map.ray_cast(origin, target - origin, INFINITY));
    worst = std::max(worst, base->evaluations.load());
    total += base->evaluations;
  }
  // Half a spacing over a ray of some 500 m would be 200 000 steps.
  EXPECT_LT(worst, 2000);       // measured 167
  EXPECT_LT(total / 100, 300);  // measured 59
}

// A range that has once been wide must not change what is found.
TEST(RayCast, DoesNotDependOnTheHistoryOfTheMap) {
  const auto base = std::make_shared<CountedHills>(kRayDomain, 0.2, 1.5);
  ElevationMap fresh(base, {.spacing = 0.02}), worn(base, {.spacing = 0.02});
  CounterRng rng(5);
  for (int k = 0; k < 2000; ++k) {
    const int i = static_cast<int>(rng.index(1001)), j = static_cast<int>(rng.index(1001));
    worn.set_change(i, j, 3);
    worn.set_change(i, j, 0);
  }
  for (int k = 0; k < 100; ++k) {
    const Vec2 p = random_point(rng, kRayDomain), q = random_point(rng, kRayDomain);
    const Vec3 origin(p.x(), p.y(), 0.5), along(q.x() - p.x(), q.y() - p.y(), -0.7);
    const auto a = fresh.ray_cast(origin, along, 50), b = worn.ray_cast(origin, along, 50);
    ASSERT_EQ(a.has_value(), b.has_value());
    if (a) {
      EXPECT_EQ(a->distance, b->distance);
    }
  }
}

}  // namespace
}  // namespace grouser::internal
