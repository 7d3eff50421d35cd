#include "sim/stability.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "sim/chatter.h"
#include "test_worlds.h"

namespace grouser::internal {
namespace {

using testing::HasSubstr;

/// -z of the root of 1 + z/2 + z²/6 + z³/24, where R(z) = 1 on the real axis.
constexpr double kRealLimit = 2.785293563405282;

/// A slide of 2 kg with a rotor of 0.5 kg behind its gear, without gravity.
World slide(const Actuator& servo, const DofLaw& law = {}) {
  ModelSpec spec =
      one_body({.name = "rail", .type = JointType::prismatic, .axis = Vec3::UnitX(), .laws = {law}},
               RigidInertia{.mass = 2, .about_com = Mat3::Identity()});
  spec.bodies[0].joint.laws[0].armature = 0.5;
  spec.gravity.setZero();
  spec.actuators = {servo};
  return world_of(std::move(spec));
}

double limit_of(World world, IntegrationMethod method) {
  world.settings.integrator.method = method;
  return joint_step_limit(world, initial_state(world)).step;
}

TEST(Stability, LimitsOfOneServoAreThoseByHand) {
  const Actuator speed{.name = "s", .type = ActuatorType::velocity, .kd = 50};
  const Actuator place{.name = "s", .type = ActuatorType::position, .kp = 1000};
  const Actuator both{.name = "s", .type = ActuatorType::position, .kp = 1000, .kd = 20};
  const double mass = 2.5;
  EXPECT_NEAR(limit_of(slide(speed), IntegrationMethod::rk4) / (kRealLimit * mass / 50), 1, 1e-6);
  EXPECT_NEAR(limit_of(slide(place), IntegrationMethod::rk4) * std::sqrt(1000 / mass), std::sqrt(8),
              1e-6);
  EXPECT_NEAR(limit_of(slide(speed), IntegrationMethod::semi_implicit) / (2 * mass / 50), 1, 1e-5);
  EXPECT_NEAR(limit_of(slide(place), IntegrationMethod::semi_implicit) * std::sqrt(1000 / mass), 2,
              1e-5);
  // 2 c h + k h² = 4 with c and k per mass.
  const double h = limit_of(slide(both), IntegrationMethod::semi_implicit);
  EXPECT_NEAR((2 * 20 * h + 1000 * h * h) / mass, 4, 1e-4);
}

TEST(Stability, DampersAndSpringsOfJointsCountEndStopsDoNot) {
  const Actuator none{.name = "s", .type = ActuatorType::torque};
  const DofLaw law{.damping = 100, .lower = -1, .upper = 1, .stop_stiffness = 1e9};
  EXPECT_NEAR(limit_of(slide(none, law), IntegrationMethod::rk4), kRealLimit * 2.5 / 100, 1e-7);
  EXPECT_EQ(limit_of(slide(none), IntegrationMethod::rk4), std::numeric_limits<double>::infinity());
}

// Each link about the pivot of its own; upside down it falls, which no step can help.
TEST(Stability, ModesThatGrowByThemselvesSetNoLimit) {
  World world = world_of(pendulum_chain(1));
  world.initial.q[0] = M_PI;
  EXPECT_GT(limit_of(world, IntegrationMethod::rk4), 0.5);
  EXPECT_GT(limit_of(world, IntegrationMethod::semi_implicit), 0.4);
}

TEST(Stability, StepsTooLongAreRefusedAndShorterOnesRun) {
  World world = slide({.name = "gear", .type = ActuatorType::velocity, .kd = 50});
  world.initial.v[0] = 1;
  const double limit = kRealLimit * 2.5 / 50;
  world.settings.integrator = {.method = IntegrationMethod::rk4, .step = 1.01 * limit};
  world.settings.integrator_line = 7;
  try {
    run_for(world, 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_EQ(error.issues().front().line, 7);
    // Of 0.13926 s two digits, rounded down.
    EXPECT_THAT(error.what(), HasSubstr("servo 'gear' (kd 50, kp 0 on an inertia of 2.5)"));
    EXPECT_THAT(error.what(), HasSubstr("needs 0.13 s or less"));
    EXPECT_THAT(error.what(), HasSubstr("moreau_jean"));
  }
  world.settings.integrator.step = 0.99 * limit;
  const RunReport near = run_for(world, 200 * limit);
  EXPECT_LT(std::abs(near.state.v[0]), 1e-3);
  ASSERT_EQ(near.warnings.size(), 1U);
  EXPECT_THAT(near.warnings[0], HasSubstr("near the limit of stability"));
  world.settings.integrator.step = 0.5 * limit;
  EXPECT_TRUE(run_for(world, 10 * limit).warnings.empty());
  world.settings.integrator = {.method = IntegrationMethod::moreau_jean, .step = 10 * limit};
  EXPECT_TRUE(run_for(world, 100 * limit).warnings.empty());
}

TEST(Chatter, OfAServoThatIsTooStiffIsNamedOnce) {
  World world = slide({.name = "gear", .type = ActuatorType::velocity, .kd = 500, .max_effort = 3});
  world.joint_commands.push_back({.actuator = 0, .signal = ConstantSignal{1}});
  world.settings.integrator = {.method = IntegrationMethod::semi_implicit, .step = 0.02};
  // kd h / m = 4. A run that goes on is warned, not refused.
  State later = initial_state(world);
  later.time = 1;
  later.memory[1] = 50;
  Observer nobody;
  const RunReport report = simulate(world, later, {.end_time = 21}, nobody);
  ASSERT_EQ(report.warnings.size(), 2U);
  EXPECT_THAT(report.warnings[0], HasSubstr("is too long for servo 'gear'"));
  EXPECT_THAT(report.warnings[1], HasSubstr("servo 'gear' swung to and fro"));
  EXPECT_THAT(report.warnings[1], HasSubstr("moreau_jean"));
}

TEST(Chatter, SwingsAreCountedNotRipplesNorSlowWaves) {
  SwingCounter swings, ripples, waves, pairs;
  int found[4] = {};
  for (int k = 0; k < 4 * SwingCounter::kWindow; ++k) {
    found[0] += swings.add(k % 2 == 0 ? 1 : -1, 0.2);
    found[1] += ripples.add(k % 2 == 0 ? 0.09 : -0.09, 0.2);
    found[2] += waves.add(std::sin(2 * M_PI * k / 16), 0.01);
    found[3] += pairs.add(k % 4 < 2 ? 1 : -1, 0.2);  // two steps up, two down
  }
  EXPECT_EQ(found[0], 4);
  EXPECT_EQ(found[1], 0);
  EXPECT_EQ(found[2], 0);
  EXPECT_GE(found[3], 3);
}

}  // namespace
}  // namespace grouser::internal
