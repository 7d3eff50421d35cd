#include "collision/overlap.h"

#include <gtest/gtest.h>

#include "core/parallel.h"
#include "support/allocation_count.h"
#include "terrain/flat_field.h"

namespace grouser::internal {
namespace {

Collider ball_of(int body, double radius) {
  return {.body = body, .parts = {{.shape = SphereShape{radius}}}};
}

GroundCollider flat_ground(double height) {
  return {.map = std::make_shared<const ElevationMap>(
              std::make_shared<FlatField>(FlatOptions{
                  .height = height, .domain = {Vec2::Constant(-50), Vec2::Constant(50)}}),
              ElevationMapOptions{.spacing = 0.1})};
}

// Balls of 1 m and 0.5 m whose centres are 1.3 m apart along x overlap by 0.2 m, from 0.8 to 1.0.
TEST(OverlapFinder, TwoBalls) {
  const CollisionScene scene({ball_of(0, 1), ball_of(1, 0.5)});
  OverlapFinder finder(scene);
  const std::vector<Pose> apart = {Pose{}, Pose{.p = Vec3(1.6, 0, 0)}};
  EXPECT_TRUE(finder.find(scene, apart).empty());
  const std::vector<Pose> poses = {Pose{}, Pose{.p = Vec3(1.3, 0, 0)}};
  const auto found = finder.find(scene, poses);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].pair, (PartPair{0, 0, 1, 0}));
  EXPECT_NEAR(found[0].depth, 0.2, 1e-15);
  EXPECT_NEAR((found[0].normal + Vec3::UnitX()).norm(), 0, 1e-15);  // out of b into a
  ASSERT_EQ(found[0].points.size(), 1u);
  EXPECT_NEAR((found[0].points[0].p - Vec3(0.9, 0, 0)).norm(), 0, 1e-15);
}

// A cube of 1 m, tilted about y by 0.1 rad, stands with its lower edge 0.02 m in the ground: the deepest points are
// its two corners there.
TEST(OverlapFinder, CornersInTheGround) {
  const CollisionScene scene({{.body = 0, .parts = {{.shape = BoxShape{Vec3::Ones()}}}}},
                             {flat_ground(2)});
  OverlapFinder finder(scene);
  const double tilt = 0.1, reach = 0.5 * (std::cos(tilt) + std::sin(tilt));
  Pose X{.p = Vec3(0, 0, 2 + reach - 0.02)};
  X.R << std::cos(tilt), 0, std::sin(tilt), 0, 1, 0, -std::sin(tilt), 0, std::cos(tilt);
  const auto found = finder.find(scene, std::vector{X});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].pair, (PartPair{0, 0, 1, 0}));
  EXPECT_NEAR(found[0].depth, 0.02, 1e-14);
  ASSERT_EQ(found[0].points.size(), 2u);
  for (const OverlapPoint& point : found[0].points) {
    EXPECT_NEAR(point.depth, 0.02, 1e-14);
    EXPECT_NEAR(point.p.z(), 1.99, 1e-14);
    EXPECT_NEAR(std::abs(point.p.y()), 0.5, 1e-14);
  }
  EXPECT_EQ(found[0].normal, Vec3(Vec3::UnitZ()));
}

TEST(OverlapFinder, OnePointIfAsked) {
  const BoxShape cube{Vec3::Ones()};
  const CollisionScene scene({{.body = 0, .parts = {{cube}}}, {.body = 1, .parts = {{cube}}}});
  OverlapFinder finder(scene);
  const std::vector<Pose> poses = {Pose{.p = Vec3(0.2, 0.1, 0.99)}, Pose{}};
  EXPECT_EQ(finder.find(scene, poses)[0].points.size(), 4u);
  EXPECT_EQ(finder.find(scene, poses, {.single_point = true})[0].points.size(), 1u);
}

// Two hundred balls in a row, each in the next: more than one chunk.
TEST(OverlapFinder, SameForAnyNumberOfThreadsAndNothingAllocated) {
  std::vector<Collider> row;
  std::vector<Pose> poses;
  for (int i = 0; i < 200; ++i) {
    row.push_back(ball_of(i, 0.5 + 0.001 * i));
    poses.push_back({.p = Vec3(0.9 * i, 0, 0)});
  }
  const CollisionScene scene(row);
  std::vector<double> first;
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    OverlapFinder finder(scene);
    std::vector<double> depths;
    for (const OverlappingPair& pair : finder.find(scene, poses)) {
      EXPECT_EQ(pair.pair.b, pair.pair.a + 1);
      depths.push_back(pair.depth);
    }
    ASSERT_EQ(depths.size(), 199u);
    // Radii sum to 1 + 0.001 (2 i + 1).
    EXPECT_NEAR(depths[10], 0.1 + 0.021, 1e-14);
    if (first.empty()) first = depths;
    EXPECT_EQ(depths, first);
    if (threads == 1 && allocations_are_counted()) {
      const auto before = allocation_count();
      finder.find(scene, poses);
      EXPECT_EQ(allocation_count(), before);
    }
  }
  set_thread_count(0);
}

}  // namespace
}  // namespace grouser::internal
