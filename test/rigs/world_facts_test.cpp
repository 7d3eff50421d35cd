#include "record/world_facts.h"

#include <gtest/gtest.h>

#include "scene/load_rover.h"
#include "scene/load_scene.h"

namespace grouser::internal {
namespace {

// Figures of data/rovers/rocker_bogie.yaml, by hand: the pivots at x = -0.53 and 0, wheels 1.14 m ahead of one and
// 0.57 m behind the other; 0.75 + 0.35 m to the left, or 0.75 + 0.15 + 0.2 m, or + 0.3 m.
TEST(WorldFacts, OfARockerBogie) {
  const World world = load_rover("rocker_bogie");
  const auto facts = rover_facts(world, world.rovers.front());
  EXPECT_NEAR(facts["mass_kg"].get<double>(), 899, 1e-9);
  EXPECT_NEAR(facts["wheelbase_m"].get<double>(), 1.14 + 0.53 + 0.57, 1e-12);
  EXPECT_NEAR(facts["track_m"].get<double>(), 2 * (0.75 + 0.15 + 0.3), 1e-12);
  ASSERT_EQ(facts["wheels"].size(), 6u);
  const auto& wheel = facts["wheels"][0];
  EXPECT_EQ(wheel["name"], "rover/front_left");
  EXPECT_EQ(wheel["radius_m"], 0.254);
  EXPECT_EQ(wheel["width_m"], 0.4);
  EXPECT_EQ(wheel["drive"], "rover/front_left_drive");
  EXPECT_EQ(wheel["steer"], "rover/front_left_steer");
  EXPECT_NEAR(wheel["position_m"][0].get<double>(), 1.14, 1e-12);
  EXPECT_NEAR(wheel["position_m"][2].get<double>(), -0.85, 1e-12);
  EXPECT_TRUE(facts["wheels"][2]["steer"].is_null());
  EXPECT_EQ(facts["motors"].size(), 10u);
  EXPECT_EQ(facts["freedoms"], 20);
  ASSERT_EQ(facts["loops"].size(), 1u);
  EXPECT_EQ(facts["loops"][0]["equations"], 1);
  EXPECT_EQ(facts["joints"].size(),
            15u);  // the free base, 4 of suspension, 4 of steering, 6 drives
}

TEST(WorldFacts, OfAScene) {
  const World world = load_builtin_scene("default");
  const auto facts = scene_facts(world);
  EXPECT_EQ(facts["name"], "default");
  EXPECT_EQ(facts["duration_s"], 20);
  EXPECT_EQ(facts["integrator"]["method"], "moreau_jean");
  EXPECT_EQ(facts["integrator"]["step_s"], 0.002);
  EXPECT_NEAR(facts["gravity_m_s2"][2].get<double>(), -3.72, 0.01);
  EXPECT_EQ(facts["terrain"]["x_m"][0], -3.5);
  EXPECT_EQ(facts["terrain"]["spacing_m"], 0.01);
  EXPECT_EQ(facts["terrain"]["soils"][0], "dry_sand");
  EXPECT_EQ(facts["rovers"].size(), 1u);
  EXPECT_EQ(facts["paths"][0]["waypoints_m"].size(), 3u);
  EXPECT_EQ(facts["contacts"].size(), world.contacts.size());
  EXPECT_TRUE(facts["warnings"].empty());
}

TEST(WorldFacts, OfASceneWithoutTerrain) {
  const auto facts = scene_facts(load_builtin_scene("pendulum"));
  EXPECT_TRUE(facts["terrain"].is_null());
  EXPECT_TRUE(facts["rovers"].empty());
}

}  // namespace
}  // namespace grouser::internal
