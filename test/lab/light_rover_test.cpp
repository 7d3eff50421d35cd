// A light rover in sand: wheels of little inertia with stiff drives, which explicit steps of 1 ms do not follow.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "scene/load_scene.h"
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
std::string light_rover(const std::string& integrator, const std::string& contacts, double gain = 2,
                        double scale = 1) {
  std::string bodies, actuators, wheels;
  for (const auto& [name, x, y] : {std::tuple("fl", 0.15, 0.13),
                                   {"fr", 0.15, -0.13},
                                   {"rl", -0.15, 0.13},
                                   {"rr", -0.15, -0.13}}) {
    bodies += fmt::format(R"(
        - name: {0}_wheel
          mass: {3}
          shape: {{cylinder: {{radius: 0.07, length: 0.05}}, rpy_deg: [90, 0, 0]}}
          joint: {{name: {0}_drive, type: revolute, parent: chassis, position: [{1}, {2}, 0], axis: [0, 1, 0]}})",
                          name, x, y, 0.25 * scale);
    actuators += fmt::format(
        "\n        - {{joint: {}_drive, type: velocity, kd: {}, max_effort: 5}}", name, gain);
    wheels += fmt::format(
        "\n        - {{name: {0}, body: {0}_wheel, drive: {0}_drive, radius: 0.07, width: 0.05}}",
        name);
  }
  return fmt::format(R"(grouser: 1
{}
terrain: {{surface: {{size: [4, 2], profile: {{points: [[-2, 0], [2, 0]]}}}}, spacing: 0.01, soil: dry_sand}}
models:
  - name: rover
    position: [-1, 0, 0.069]
    tree:
      bodies:
        - {{name: chassis, mass: {}, shape: {{box: [0.3, 0.2, 0.1]}}}}{}
      actuators:{}
      chassis: chassis
      wheels:{}
contacts:
{}
commands: [{{wheels: all, ground_speed: 0.05}}]
)",
                     integrator, 5 * scale, bodies, actuators, wheels, contacts);
}

World light_world(const std::string& integrator, const std::string& contacts, double gain = 2,
                  double scale = 1) {
  return load_scene_text(light_rover(integrator, contacts, gain, scale), "light.yaml", ".");
}

RunReport drive(const World& world, double end) {
  Observer nobody;
  return simulate(world, initial_state(world), {.end_time = end}, nobody);
}

const char* const kTerra = "  - {model: terra, wheels: all}";
const char* const kScm = "  - {model: scm, wheels: all}";

TEST(LightRover, ExplicitStepsThatAreTooLongAreRefused) {
  try {
    drive(light_world("integrator: {method: rk4, step: 0.001}", kTerra), 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_EQ(error.issues().front().line, 2);
    // kd/I = 3265 1/s and more, as the chassis turns against the wheels: 2.785 / 3265 = 0.853 ms at most.
    EXPECT_THAT(error.what(), HasSubstr("_drive"));
    EXPECT_THAT(error.what(), HasSubstr("moreau_jean"));
  }
  const World world = light_world("integrator: {method: rk4, step: 0.001}", kTerra);
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
  const World world = light_world("duration: 1", kTerra);
  EXPECT_EQ(world.settings.integrator.method, IntegrationMethod::moreau_jean);
  const RunReport stepped = drive(world, 1);
  const RunReport fine = drive(light_world("integrator: {method: rk4, step: 0.0001}", kTerra), 1);
  EXPECT_THAT(stepped.warnings,
              Each(HasSubstr("TerRA's default")));  // for wheels as small as these
  EXPECT_NEAR(mean(stepped, &WheelStatistics::slip_mean), mean(fine, &WheelStatistics::slip_mean),
              0.01);
  EXPECT_NEAR(mean(stepped, &WheelStatistics::torque_rms), mean(fine, &WheelStatistics::torque_rms),
              0.01);
  EXPECT_GT(mean(stepped, &WheelStatistics::slip_mean), 0);
}

TEST(LightRover, DrivesInSoftSoilByDefault) {
  const RunReport report = drive(light_world("duration: 1", kScm), 1.2);
  EXPECT_TRUE(report.warnings.empty()) << report.warnings.front();
  EXPECT_GT(mean(report, &WheelStatistics::slip_mean), 0);
  EXPECT_LT(mean(report, &WheelStatistics::torque_rms), 1);  // of 5 N m, at which it would chatter
}

// 60 kg on hard ground: what friction and damping of contact allow is a third of what the drives do.
TEST(LightRover, OnHardGroundIsWarnedOfWithAStepThatWorks) {
  const char* const hard = "  - {model: bbcc, wheels: all}\n  - {model: bbcc, terrain: true}";
  World world = light_world("integrator: {method: rk4, step: 0.001}", hard, 10, 10);
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
  const auto advice = [](const std::string& integrator, double gain) {
    const World world = light_world(integrator, kTerra, gain);
    const State state = initial_state(world);
    const VecX nowhere = VecX::Constant(state.q.size(), std::nan(""));
    return find_divergence(world, 1, nowhere.data(), state.v.data())->message;
  };
  EXPECT_THAT(advice("integrator: {method: rk4, step: 0.001}", 5),
              AllOf(HasSubstr("servo 'rover/fl_drive' (kd 5"), HasSubstr("method: moreau_jean")));
  EXPECT_THAT(advice("integrator: {method: rk4, step: 0.0001}", 1),
              AllOf(HasSubstr("contact is too stiff"), HasSubstr("method: moreau_jean")));
  EXPECT_THAT(advice("integrator: {method: esdirk}", 1), HasSubstr("method: moreau_jean"));
  EXPECT_THAT(advice("duration: 1", 1), testing::Not(HasSubstr("method: moreau_jean")));
}

}  // namespace
}  // namespace grouser::internal
