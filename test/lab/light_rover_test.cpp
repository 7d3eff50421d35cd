// A light rover in sand: wheels of little inertia with stiff drives, which explicit steps of 1 ms do not follow.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "lab/scene_parts.h"
#include "sim/divergence.h"
#include "sim/simulate.h"
#include "sim/stability.h"

namespace grouser::internal {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;

/// 6 kg (times `scale`) on four wheels of 0.07 m and 0.25 kg, that is 6.125e-4 kg m² about their axles.
World light_world(const Map& integrator, const List& contacts, double gain = 2, double scale = 1) {
  constexpr double kRadius = 0.07, kWidth = 0.05;
  List bodies{body_of("chassis", 5 * scale, box_shape(0.3, 0.2, 0.1))}, actuators, wheels;
  for (const auto& [name, x, y] : {std::tuple("fl", 0.15, 0.13),
                                   {"fr", 0.15, -0.13},
                                   {"rl", -0.15, 0.13},
                                   {"rr", -0.15, -0.13}}) {
    const std::string wheel = std::string(name) + "_wheel", drive = std::string(name) + "_drive";
    bodies.push_back(merged(body_of(wheel, 0.25 * scale, wheel_shape(kRadius, kWidth)),
                            {{"joint", hinge(drive, "chassis", {x, y, 0})}}));
    actuators.push_back(
        Map{{"joint", drive}, {"type", "velocity"}, {"kd", gain}, {"max_effort", 5}});
    wheels.push_back(Map{
        {"name", name}, {"body", wheel}, {"drive", drive}, {"radius", kRadius}, {"width", kWidth}});
  }
  const Map profile{{"points", List{List{-2, 0}, List{2, 0}}}};
  const Map tree{
      {"bodies", bodies}, {"actuators", actuators}, {"chassis", "chassis"}, {"wheels", wheels}};
  const Map scene{
      {"integrator", integrator},
      {"terrain", Map{{"surface", Map{{"size", List{4, 2}}, {"profile", profile}}},
                      {"spacing", 0.01},
                      {"soil", "dry_sand"}}},
      {"models", List{Map{{"name", "rover"}, {"position", List{-1, 0, 0.069}}, {"tree", tree}}}},
      {"contacts", contacts},
      {"commands", List{drive_at(0.05)}}};
  return load_scene_values(scene, "light", ".");
}

RunReport drive(const World& world, double end) {
  Observer nobody;
  return simulate(world, initial_state(world), {.end_time = end}, nobody);
}

const Map kTerra = all_wheels_by("terra"), kScm = all_wheels_by("scm");

TEST(LightRover, ExplicitStepsThatAreTooLongAreRefused) {
  try {
    drive(light_world(fixed_step("rk4", 0.001), {kTerra}), 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_EQ(error.issues().front().field, "integrator.step");
    // kd/I = 3265 1/s and more, as the chassis turns against the wheels: 2.785 / 3265 = 0.853 ms at most.
    EXPECT_THAT(error.what(), HasSubstr("_drive"));
    EXPECT_THAT(error.what(), HasSubstr("moreau_jean"));
  }
  const World world = light_world(fixed_step("rk4", 0.001), {kTerra});
  const double limit = joint_step_limit(world, initial_state(world)).step;
  EXPECT_LT(limit, 2.785 * 0.5 * 0.25 * 0.07 * 0.07 / 2);
  EXPECT_GT(limit, 0.8 * 2.785 * 0.5 * 0.25 * 0.07 * 0.07 / 2);
}

/// Means over the wheels.
double mean(const RunReport& report, double WheelStatistics::*field) {
  double sum = 0;
  for (const WheelStatistics& wheel : report.wheels) sum += wheel.*field;
  return sum / static_cast<double>(report.wheels.size());
}

// Two methods that share no code of their steps. Measured: slip 0.2690 and 0.2683, torque the same to 0.001 N m.
TEST(LightRover, DefaultMethodAgreesWithShortExplicitSteps) {
  const World world = light_world({}, {kTerra});
  EXPECT_EQ(world.settings.integrator.method, IntegrationMethod::moreau_jean);
  const RunReport stepped = drive(world, 1);
  const RunReport fine = drive(light_world(fixed_step("rk4", 0.0001), {kTerra}), 1);
  EXPECT_THAT(stepped.warnings,
              Each(HasSubstr("TerRA's default")));  // for wheels as small as these
  EXPECT_NEAR(mean(stepped, &WheelStatistics::slip_mean), mean(fine, &WheelStatistics::slip_mean),
              0.01);
  EXPECT_NEAR(mean(stepped, &WheelStatistics::torque_rms), mean(fine, &WheelStatistics::torque_rms),
              0.01);
  EXPECT_GT(mean(stepped, &WheelStatistics::slip_mean), 0);
}

TEST(LightRover, DrivesInSoftSoilByDefault) {
  const RunReport report = drive(light_world({}, {kScm}), 1.2);
  EXPECT_TRUE(report.warnings.empty()) << report.warnings.front();
  EXPECT_GT(mean(report, &WheelStatistics::slip_mean), 0);
  EXPECT_LT(mean(report, &WheelStatistics::torque_rms), 1);  // of 5 N m, at which it would chatter
}

// 60 kg on hard ground: what friction and damping of contact allow is a third of what the drives do.
TEST(LightRover, OnHardGroundIsWarnedOfWithAStepThatWorks) {
  const List hard{all_wheels_by("bbcc"), terrain_by("bbcc")};
  World world = light_world(fixed_step("rk4", 0.001), hard, 10, 10);
  const StepLimit limit = contact_step_limit(world, initial_state(world));
  EXPECT_LT(limit.step, 1e-3);
  EXPECT_THAT(limit.cause, HasSubstr("contacts of 'rover/"));
  const RunReport coarse = drive(world, 0.5);
  EXPECT_THAT(coarse.warnings, Contains(HasSubstr("is too long for the contacts of 'rover/")));
  EXPECT_THAT(coarse.warnings, Contains(HasSubstr("servo 'rover/fl_drive' swung to and fro")));
  world.settings.integrator.step = 0.9 * limit.step;
  const RunReport safe = drive(world, 0.5);
  EXPECT_THAT(safe.warnings, Each(HasSubstr("overlap by 0.001 m at the start")));
  world.settings.integrator.step = 0.3 * limit.step;
  const RunReport fine = drive(world, 0.5);
  EXPECT_NEAR(safe.energy, fine.energy, 0.05 * fine.energy);
  EXPECT_GT(coarse.energy, 2 * fine.energy);
  for (const WheelStatistics& wheel : safe.wheels) {
    EXPECT_NEAR(wheel.normal_mean, 60 * 9.80665 / 4, 6)
        << wheel.name;  // chassis set down 1 mm deep
  }
}

// Advice follows from what the world has and which method it uses.
TEST(LightRover, AdviceOnDivergenceNamesWhatHelps) {
  const auto advice = [](const Map& integrator, double gain) {
    const World world = light_world(integrator, {kTerra}, gain);
    const State state = initial_state(world);
    const VecX nowhere = VecX::Constant(state.q.size(), std::nan(""));
    return find_divergence(world, 1, nowhere.data(), state.v.data())->message;
  };
  EXPECT_THAT(advice(fixed_step("rk4", 0.001), 5),
              AllOf(HasSubstr("servo 'rover/fl_drive' (kd 5"), HasSubstr("method: moreau_jean")));
  EXPECT_THAT(advice(fixed_step("rk4", 0.0001), 1),
              AllOf(HasSubstr("contact is too stiff"), HasSubstr("method: moreau_jean")));
  EXPECT_THAT(advice({{"method", "esdirk"}}, 1), HasSubstr("method: moreau_jean"));
  EXPECT_THAT(advice({}, 1), testing::Not(HasSubstr("method: moreau_jean")));
}

}  // namespace
}  // namespace grouser::internal
