#include "collision/broad_phase.h"

#include <gtest/gtest.h>

#include "core/rng.h"
#include "math/rotation.h"
#include "terrain/flat_field.h"

namespace grouser::internal {
namespace {

std::shared_ptr<const ElevationMap> far_flat_map(double height = 0) {
  return std::make_shared<const ElevationMap>(
      std::make_shared<FlatField>(
          FlatOptions{.height = height, .domain = {Vec2::Constant(-50), Vec2::Constant(50)}}),
      ElevationMapOptions{.spacing = 0.1});
}

Collider ball(int body, int group = Collider::kNoGroup, const Vec3& p = Vec3::Zero()) {
  return {.body = body, .X_BE = {.p = p}, .parts = {{.shape = SphereShape{1}}}, .group = group};
}

std::vector<PartPair> pairs_at(const CollisionScene& scene, const std::vector<Pose>& poses) {
  BroadPhase broad_phase(scene);
  std::vector<PartPair> pairs;
  for (const Candidate& candidate : broad_phase.find(scene, poses)) {
    pairs.push_back(candidate.pair);
  }
  return pairs;
}

TEST(BroadPhase, GroupsBodiesAndFixedElements) {
  // All eight overlap at the origin.
  const CollisionScene scene(
      {ball(0, 1), ball(1, 1), ball(2, 2), ball(3), ball(3), ball(-1), ball(-1, 1), ball(4)},
      {{.map = far_flat_map(), .group = 2}});
  const std::vector<PartPair> found = pairs_at(scene, std::vector<Pose>(8));
  const std::vector<PartPair> expected = {
      {0, 0, 2, 0}, {0, 0, 3, 0}, {0, 0, 4, 0}, {0, 0, 5, 0},
      {0, 0, 7, 0}, {0, 0, 8, 0},  // not 1, 6
      {1, 0, 2, 0}, {1, 0, 3, 0}, {1, 0, 4, 0}, {1, 0, 5, 0},
      {1, 0, 7, 0}, {1, 0, 8, 0}, {2, 0, 3, 0}, {2, 0, 4, 0},
      {2, 0, 5, 0}, {2, 0, 6, 0}, {2, 0, 7, 0},                // not the terrain
      {3, 0, 5, 0}, {3, 0, 6, 0}, {3, 0, 7, 0}, {3, 0, 8, 0},  // not 4, of its body
      {4, 0, 5, 0}, {4, 0, 6, 0}, {4, 0, 7, 0}, {4, 0, 8, 0},
      {5, 0, 7, 0}, {6, 0, 7, 0},  // neither each other nor the terrain
      {7, 0, 8, 0}};
  EXPECT_EQ(found, expected);
}

TEST(BroadPhase, OneGroupOfMoversMeetsOnlyObstacles) {
  const CollisionScene scene({ball(0, 0), ball(1, 0), ball(-1, -1, Vec3(1.5, 0, 0))});
  EXPECT_FALSE(scene.movers_may_touch());
  EXPECT_EQ(pairs_at(scene, {Pose{}, Pose{}, Pose{}}),
            (std::vector<PartPair>{{0, 0, 2, 0}, {1, 0, 2, 0}}));
}

TEST(BroadPhase, TerrainIsMetOnlyBelowItsHighestPoint) {
  const CollisionScene scene({ball(0)}, {{.map = far_flat_map(2)}});
  EXPECT_EQ(pairs_at(scene, {Pose{.p = Vec3(0, 0, 2.999)}}).size(), 1u);
  EXPECT_TRUE(pairs_at(scene, {Pose{.p = Vec3(0, 0, 3.001)}}).empty());
}

// What is found depends on the poses alone, not on where bodies were before; and it is what comparing all
// boxes finds.
TEST(BroadPhase, ForgetsThePast) {
  std::vector<Collider> elements;
  CounterRng rng(3);
  for (int i = 0; i < 60; ++i) {
    Collider wheel{.body = i % 4 == 0 ? Collider::kFixed : i,
                   .parts = wheel_parts({.radius = 0.4, .width = 0.3, .grousers = 6})};
    wheel.X_BE.p = Vec3(rng.uniform(0, 5), rng.uniform(0, 5), rng.uniform(0, 1));
    elements.push_back(wheel);
  }
  const CollisionScene scene(elements);
  BroadPhase old(scene);
  for (int move = 0; move < 20; ++move) {
    std::vector<Pose> poses;
    for (const Collider& element : elements) {
      const Pose free{rotation_about(Vec3::UnitX(), rng.uniform(0, 6)),
                      Vec3(rng.uniform(0, 5), rng.uniform(0, 5), rng.uniform(0, 1))};
      poses.push_back(element.body == Collider::kFixed ? element.X_BE : free);
    }
    const std::span<const Candidate> found = old.find(scene, poses);
    std::vector<PartPair> by_force;
    for (int a = 0; a < 60; ++a) {
      for (int i = 0; i < 7; ++i) {
        for (int b = a + 1; b < 60; ++b) {
          for (int j = 0; j < 7 && scene.may_touch(a, b); ++j) {
            const auto box = [&](int e, int p) {
              const Collider& element = elements[static_cast<std::size_t>(e)];
              const ContactPart& part = element.parts[static_cast<std::size_t>(p)];
              return bounds(part.shape, poses[static_cast<std::size_t>(e)] * part.X_EC);
            };
            if (box(a, i).overlaps(box(b, j))) by_force.push_back({a, i, b, j});
          }
        }
      }
    }
    ASSERT_EQ(found.size(), by_force.size());
    EXPECT_GT(found.size(), 50u);
    for (std::size_t k = 0; k < found.size(); ++k) EXPECT_EQ(found[k].pair, by_force[k]);
  }
}

}  // namespace
}  // namespace grouser::internal
