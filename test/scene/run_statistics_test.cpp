// What a run says of a rover: the same whatever is recorded, and nothing of wheels that stand.
#include <gtest/gtest.h>

#include <cmath>

#include "scene/load_scene.h"
#include "sim/simulate.h"

namespace grouser::internal {
namespace {

constexpr const char* kDrives = "commands: [{wheels: all, ground_speed: 0.06}]\n";

/// A rover on sand by a model of wheels in soft soil, or on hard ground by `bbcc`.
World rover_on(const std::string& model, const std::string& method, const std::string& commands,
               const std::string& gravity = "mars") {
  const std::string hard = "  - {model: bbcc, terrain: true}\n";
  return load_scene_text("grouser: 1\nname: rover\ngravity: " + gravity + "\nintegrator: {" +
                             method + R"(}
terrain: {surface: {size: [4, 3]}, spacing: 0.05, soil: dry_sand}
models: [{name: rover, rover: exomars, on_ground: true, position: [-0.5, 0, 0.565]}]
contacts:
  - {model: )" + model + ", wheels: all}\n" +
                             (model == "bbcc" ? hard : "") + commands,
                         "f", ".");
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
  const char *name, *method, *model;
  double end;
};

class Recording : public testing::TestWithParam<Case> {};

TEST_P(Recording, ChangesNeitherMotionNorStatistics) {
  World world = rover_on(GetParam().model, GetParam().method, kDrives);
  world.settings.record_rate_hz = 0;
  const RunReport wanted = run(world, GetParam().end);
  EXPECT_GT(wanted.energy, 0);
  for (const double rate : {1.0, 20.0, 500.0}) {
    SCOPED_TRACE(rate);
    world.settings.record_rate_hz = rate;
    expect_same(run(world, GetParam().end), wanted);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rovers, Recording,
    testing::Values(Case{"scm_smooth", "method: semi_implicit, step: 0.001", "scm", 0.1},
                    Case{"scm_stepped", "method: moreau_jean, step: 0.004", "scm", 0.2},
                    Case{"terra_smooth", "method: semi_implicit, step: 0.002", "terra", 1},
                    Case{"terra_stepped", "method: moreau_jean, step: 0.02", "terra", 1},
                    Case{"hard_stepped", "method: moreau_jean, step: 0.02", "bbcc", 0.5}),
    [](const auto& info) { return std::string(info.param.name); });

// 20 samples a second fall between steps of 0.02 s. They cut none; a follower of 20 Hz cuts those its ticks fall into,
// every second one of 20 in a second.
TEST(RunStatistics, OnlyControllersCutSteps) {
  const char* method = "method: moreau_jean, step: 0.02";
  World driven = rover_on("terra", method, kDrives);
  World steered = rover_on("terra", method, "commands: [{path: {waypoints: [[1, 0]]}}]\n");
  for (const double rate : {0.0, 20.0}) {
    driven.settings.record_rate_hz = steered.settings.record_rate_hz = rate;
    EXPECT_EQ(run(driven, 1).steps, 50);
    EXPECT_EQ(run(steered, 1).steps, 60);
  }
}

TEST(RunStatistics, WheelsOfAParkedRoverHaveNoSlip) {
  for (const char* method :
       {"method: semi_implicit, step: 0.002", "method: moreau_jean, step: 0.01"}) {
    const RunReport report = run(rover_on("terra", method, ""), 4);
    for (const WheelStatistics& wheel : report.wheels) {
      EXPECT_FALSE(wheel.has_slip()) << wheel.name << " went " << wheel.way << " m";
      EXPECT_GT(wheel.contact_time, 3);
    }
  }
}

// A second of waiting adds nothing: slip is that of the drive alone.
TEST(RunStatistics, WaitingDoesNotCountAsSlip) {
  const World world = rover_on("terra", "method: moreau_jean, step: 0.01",
                               "commands: [{path: {waypoints: [[1, 0]], speed: 0.06, "
                               "start_time: 1}}]\n");
  const RunReport whole = run(world, 4), drive = run(world, run(world, 1).resumable, 4);
  for (std::size_t w = 0; w < whole.wheels.size(); ++w) {
    EXPECT_GT(drive.wheels[w].way, 0.1);
    EXPECT_NEAR(whole.wheels[w].slip_mean, drive.wheels[w].slip_mean, 0.02);
  }
}

// Gravity leans forward and to the left: at rest the ground holds the rover back to the right, by its weight's parts.
TEST(RunStatistics, PullAndLateralForcesHoldARoverOnASlope) {
  const World world = rover_on("terra", "method: moreau_jean, step: 0.01", "", "[0.3, 0.2, -3.7]");
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
