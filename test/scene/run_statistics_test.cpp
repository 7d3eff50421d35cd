// What a run says of a rover: the same whatever is recorded, and nothing of wheels that stand.
#include <gtest/gtest.h>

#include <cmath>

#include "lab/scene_parts.h"
#include "sim/simulate.h"

namespace grouser::internal {
namespace {

List drives() { return {drive_at(0.06)}; }

/// Along a path from where it stands to (1 m, 0).
List follows_a_path(const Map& more = {}) {
  return {Map{{"path", merged({{"waypoints", List{Value(List{1, 0})}}}, more)}}};
}

/// A rover on sand by a model of wheels in soft soil, or on hard ground by `bbcc`.
World rover_on(const std::string& model, const Map& integrator, const List& commands,
               const Value& gravity = "mars") {
  List contacts{all_wheels_by(model)};
  if (model == "bbcc") contacts.push_back(terrain_by("bbcc"));
  const Map scene{
      {"gravity", gravity},
      {"integrator", integrator},
      {"terrain",
       Map{{"surface", Map{{"size", List{4, 3}}}}, {"spacing", 0.05}, {"soil", "dry_sand"}}},
      {"models", List{rover_above_ground("exomars", {-0.5, 0, 0.565})}},
      {"contacts", contacts},
      {"commands", commands}};
  return load_scene_values(scene, "f", ".");
}

RunReport run(const World& world, const State& start, double end) {
  Observer nobody;
  return simulate(world, start, {.end_time = end}, nobody);
}

RunReport run(const World& world, double end) { return run(world, initial_state(world), end); }

void expect_same(const RunReport& a, const RunReport& b) {
  EXPECT_EQ(hash(a.state), hash(b.state));
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.energy, b.energy);
  EXPECT_EQ(a.distance, b.distance);
  ASSERT_EQ(a.wheels.size(), 6u);
  for (std::size_t w = 0; w < a.wheels.size(); ++w) {
    EXPECT_EQ(a.wheels[w].slip_mean, b.wheels[w].slip_mean);
    EXPECT_EQ(a.wheels[w].sinkage_max, b.wheels[w].sinkage_max);
    EXPECT_EQ(a.wheels[w].torque_rms, b.wheels[w].torque_rms);
    EXPECT_EQ(a.wheels[w].normal_mean, b.wheels[w].normal_mean);
    EXPECT_EQ(a.wheels[w].pull_mean, b.wheels[w].pull_mean);
    EXPECT_EQ(a.wheels[w].lateral_mean, b.wheels[w].lateral_mean);
    EXPECT_EQ(a.wheels[w].power_mean, b.wheels[w].power_mean);
    EXPECT_EQ(a.wheels[w].contact_time, b.wheels[w].contact_time);
  }
}

struct Case {
  const char *name, *method;
  double step;
  const char* model;
  double end;
};

class Recording : public testing::TestWithParam<Case> {};

TEST_P(Recording, ChangesNeitherMotionNorStatistics) {
  World world =
      rover_on(GetParam().model, fixed_step(GetParam().method, GetParam().step), drives());
  world.settings.record_rate_hz = 0;
  const RunReport wanted = run(world, GetParam().end);
  EXPECT_GT(wanted.energy, 0);
  for (const double rate : {1.0, 20.0, 500.0}) {
    SCOPED_TRACE(rate);
    world.settings.record_rate_hz = rate;
    expect_same(run(world, GetParam().end), wanted);
  }
}

INSTANTIATE_TEST_SUITE_P(Rovers, Recording,
                         testing::Values(Case{"scm_smooth", "semi_implicit", 0.001, "scm", 0.1},
                                         Case{"scm_stepped", "moreau_jean", 0.004, "scm", 0.2},
                                         Case{"terra_smooth", "semi_implicit", 0.002, "terra", 1},
                                         Case{"terra_stepped", "moreau_jean", 0.02, "terra", 1},
                                         Case{"hard_stepped", "moreau_jean", 0.02, "bbcc", 0.5}),
                         [](const auto& info) { return std::string(info.param.name); });

// 20 samples a second fall between steps of 0.02 s. They cut none; a follower of 20 Hz cuts those its ticks fall into,
// every second one of 20 in a second.
TEST(RunStatistics, OnlyControllersCutSteps) {
  const Map steps = fixed_step("moreau_jean", 0.02);
  World driven = rover_on("terra", steps, drives());
  World steered = rover_on("terra", steps, follows_a_path());
  for (const double rate : {0.0, 20.0}) {
    driven.settings.record_rate_hz = steered.settings.record_rate_hz = rate;
    EXPECT_EQ(run(driven, 1).steps, 50);
    EXPECT_EQ(run(steered, 1).steps, 60);
  }
}

TEST(RunStatistics, WheelsOfAParkedRoverHaveNoSlip) {
  for (const Map& steps : {fixed_step("semi_implicit", 0.002), fixed_step("moreau_jean", 0.01)}) {
    const RunReport report = run(rover_on("terra", steps, {}), 4);
    for (const WheelStatistics& wheel : report.wheels) {
      EXPECT_FALSE(wheel.has_slip()) << wheel.name << " went " << wheel.way << " m";
      EXPECT_GT(wheel.contact_time, 3);
    }
  }
}

// A second of waiting adds nothing: slip is that of the drive alone.
TEST(RunStatistics, WaitingDoesNotCountAsSlip) {
  const World world = rover_on("terra", fixed_step("moreau_jean", 0.01),
                               follows_a_path({{"speed", 0.06}, {"start_time", 1}}));
  const RunReport whole = run(world, 4), drive = run(world, run(world, 1).resumable, 4);
  for (std::size_t w = 0; w < whole.wheels.size(); ++w) {
    EXPECT_GT(drive.wheels[w].way, 0.1);
    EXPECT_NEAR(whole.wheels[w].slip_mean, drive.wheels[w].slip_mean, 0.02);
  }
}

// Gravity leans forward and to the left: at rest the ground holds the rover back to the right, by its weight's parts.
TEST(RunStatistics, PullAndLateralForcesHoldARoverOnASlope) {
  const World world = rover_on("terra", fixed_step("moreau_jean", 0.01), {}, List{0.3, 0.2, -3.7});
  const RunReport report = run(world, run(world, 3).resumable, 5);
  Vec3 sum = Vec3::Zero();
  for (const WheelStatistics& wheel : report.wheels) {
    sum += Vec3(wheel.pull_mean, wheel.lateral_mean, wheel.normal_mean);
  }
  const double mass = world.model.total_mass();
  // The rover turned a little when it was put down, and wheels are asked for along their own headings.
  const VecX& q = report.state.q;  // (w, x, y, z) of the trunk first
  const double yaw =
      std::atan2(2 * (q[0] * q[3] + q[1] * q[2]), 1 - 2 * (q[2] * q[2] + q[3] * q[3]));
  EXPECT_LT(std::abs(yaw), 0.05);
  EXPECT_NEAR(sum.x() / mass, -0.3 * std::cos(yaw) - 0.2 * std::sin(yaw), 3e-3);
  EXPECT_NEAR(sum.y() / mass, 0.3 * std::sin(yaw) - 0.2 * std::cos(yaw), 3e-3);
  EXPECT_NEAR(sum.z() / mass, 3.7, 3e-3);
}

}  // namespace
}  // namespace grouser::internal
