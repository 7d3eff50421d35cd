#include "sim/step_meter.h"

#include <gtest/gtest.h>

#include "sim/test_worlds.h"

namespace grouser::internal {
namespace {

constexpr IntegrationMethod kMethods[] = {
    IntegrationMethod::rk4, IntegrationMethod::semi_implicit, IntegrationMethod::esdirk,
    IntegrationMethod::bdf, IntegrationMethod::adams,         IntegrationMethod::moreau_jean};

IntegratorOptions options_of(IntegrationMethod method, double step) {
  return {.method = method,
          .step = step,
          .relative_tolerance = 1e-9,
          .absolute_tolerance = 1e-11,
          .max_steps = 100000};
}

constexpr double kInertia = 0.2;  // of the flywheel about its axle [kg m²]

World flywheel(const Actuator& motor, const Signal& target, TargetQuantity quantity) {
  ModelSpec spec;
  spec.gravity = Vec3::Zero();
  BodySpec wheel;
  wheel.name = "flywheel";
  wheel.inertia = {1, Vec3::Zero(), Mat3(Vec3(0.1, 0.1, kInertia).asDiagonal())};
  wheel.joint = {.name = "axle", .type = JointType::revolute};
  spec.bodies.push_back(wheel);
  spec.actuators.push_back(motor);
  World world = world_of(std::move(spec));
  world.joint_commands.push_back({.actuator = 0, .quantity = quantity, .signal = target});
  return world;
}

// A constant torque does W = τ Δθ, whatever the steps; after 2 s of 15 rad/s² that is 3 · 30 = 90 J.
TEST(StepMeter, WorkOfAConstantTorqueIsTorqueTimesAngle) {
  for (const IntegrationMethod method : kMethods) {
    World world = flywheel({.name = "motor", .dof = 0}, ConstantSignal{3}, TargetQuantity::effort);
    world.settings.integrator = options_of(method, 0.02);
    const RunReport report = run_for(world, 2);
    EXPECT_NEAR(report.energy, 3 * report.state.q[0], 1e-9) << to_string(method);
    // Symplectic Euler goes h/2 · Δω = 0.3 rad too far.
    if (method == IntegrationMethod::semi_implicit) continue;
    EXPECT_NEAR(report.energy, 90, 1e-6) << to_string(method);
  }
}

// A servo at its limit is a constant torque. In time stepping it is a row of the problem.
TEST(StepMeter, WorkOfAServoAtItsLimitIsLimitTimesAngle) {
  for (const IntegrationMethod method : kMethods) {
    World world = flywheel(
        {.name = "motor", .type = ActuatorType::velocity, .dof = 0, .kd = 10, .max_effort = 3},
        ConstantSignal{100}, TargetQuantity::velocity);
    world.settings.integrator = options_of(method, 0.02);
    const RunReport report = run_for(world, 2);
    EXPECT_NEAR(report.energy, 3 * report.state.q[0], 1e-8) << to_string(method);
  }
}

// Brought up to 30 rad/s by a servo: ω = 30 (1 - exp(-kd t / I)), and all work is kinetic, ½ I ω².
TEST(StepMeter, WorkOfAServoIsWhatTheFlywheelHas) {
  const double omega = 30 * (1 - std::exp(-1 / kInertia)), wanted = 0.5 * kInertia * omega * omega;
  for (const IntegrationMethod method : kMethods) {
    World world = flywheel({.name = "motor", .type = ActuatorType::velocity, .dof = 0, .kd = 1},
                           ConstantSignal{30}, TargetQuantity::velocity);
    world.settings.integrator = options_of(method, 0.002);
    const double relative = run_for(world, 1).energy / wanted - 1;
    // Symplectic Euler is of first order, h kd / I = 0.01.
    const double tolerance = method == IntegrationMethod::semi_implicit ? 0.02 : 2e-5;
    EXPECT_NEAR(relative, 0, tolerance) << to_string(method);
  }
}

/// ∫ ω² dt of the first joint, by the trapezoidal rule over samples.
struct Dissipation : Observer {
  void on_sample(const Sample& sample) override {
    const double square = sample.v[0] * sample.v[0];
    if (time >= 0) integral += 0.5 * (sample.time - time) * (square + before);
    time = sample.time;
    before = square;
  }
  double integral = 0, before = 0, time = -1;
};

// A motor swings a rod over the top against its weight and a damper. Its work is found again as kinetic
// and potential energy and what the damper took.
TEST(StepMeter, WorkIsFoundAgainInTheMechanism) {
  constexpr double kDamping = 0.3;  // [N m s/rad]
  for (const IntegrationMethod method : kMethods) {
    ModelSpec spec = pendulum_chain(1);
    spec.bodies[0].joint.laws = {{.damping = kDamping}};
    spec.actuators.push_back({.name = "motor", .dof = 0});
    World world = world_of(std::move(spec));
    world.joint_commands.push_back(
        {.actuator = 0, .quantity = TargetQuantity::effort, .signal = ConstantSignal{8}});
    world.settings.integrator = options_of(method, 1e-3);
    world.settings.record_rate_hz = 1000;
    Dissipation damper;
    const RunReport report = simulate(world, initial_state(world), {.end_time = 1.5}, damper);
    const double q = report.state.q[0], v = report.state.v[0];
    ASSERT_GT(q, 3.2) << "over the top";
    const double inertia = 1.0 / 3 + 0.02 * 0.02 / 12;  // a square rod about its end
    const double found =
        0.5 * inertia * v * v + 9.81 * 0.5 * (1 - std::cos(q)) + kDamping * damper.integral;
    const double tolerance = method == IntegrationMethod::semi_implicit ? 5e-3 : 1e-5;
    EXPECT_NEAR(report.energy / found, 1, tolerance) << to_string(method);
  }
}

// A prescribed crank turns a rod at constant rate to the horizontal: all work is potential, m g L/2.
TEST(StepMeter, WorkOfPrescribedMotionLiftsTheRod) {
  for (const IntegrationMethod method : kMethods) {
    ModelSpec spec = pendulum_chain(1);
    spec.actuators.push_back({.name = "crank", .type = ActuatorType::prescribed, .dof = 0});
    World world = world_of(std::move(spec));
    const double rate = 0.5 * std::numbers::pi;
    world.initial.v[0] = rate;
    world.joint_commands.push_back(
        {.actuator = 0, .quantity = TargetQuantity::velocity, .signal = ConstantSignal{rate}});
    world.settings.integrator = options_of(method, 2e-3);
    world.settings.integrator.max_step = is_adaptive(method) ? 0.01 : 0;
    // Efforts at the ends of steps h leave (h ω)²/12: 2.1e-5 of 0.01 s, 8e-7 of 2 ms.
    const double tolerance = is_adaptive(method) ? 3e-5 : 1e-6;
    EXPECT_NEAR(run_for(world, 1).energy / (9.81 * 0.5), 1, tolerance) << to_string(method);
  }
}

TEST(StepMeter, RecordingChangesNothing) {
  for (const IntegrationMethod method : kMethods) {
    World world = rover_world();
    const bool is_explicit =
        method == IntegrationMethod::rk4 || method == IntegrationMethod::semi_implicit;
    world.settings.integrator = options_of(method, is_explicit ? 0.0015 : 0.02);
    world.settings.record_rate_hz = 0;
    Listener unrecorded;
    const RunReport wanted = run_for(world, 1, unrecorded);
    EXPECT_EQ(unrecorded.times, (std::vector<double>{0, 1}));
    EXPECT_GT(wanted.energy, 0);
    EXPECT_GT(wanted.distance, 0.1);
    for (const double rate : {1.0, 20.0, 500.0}) {
      world.settings.record_rate_hz = rate;
      const RunReport report = run_for(world, 1);
      EXPECT_EQ(hash(report.state), hash(wanted.state)) << to_string(method) << rate;
      EXPECT_EQ(report.steps, wanted.steps) << to_string(method) << rate;
      EXPECT_EQ(report.energy, wanted.energy) << to_string(method) << rate;
      EXPECT_EQ(report.distance, wanted.distance) << to_string(method) << rate;
      EXPECT_EQ(report.loop_residual_max, wanted.loop_residual_max);
    }
  }
}

// A report covers its own part: parts that meet on the grid add up.
TEST(StepMeter, PartsAddUp) {
  for (const IntegrationMethod method :
       {IntegrationMethod::rk4, IntegrationMethod::esdirk, IntegrationMethod::moreau_jean}) {
    World world = rover_world();
    world.settings.integrator = options_of(method, method == IntegrationMethod::rk4 ? 0.002 : 0.01);
    const RunReport whole = run_for(world, 1), first = run_for(world, 0.4);
    Listener listener;
    const RunReport second = simulate(world, first.resumable, {.end_time = 1}, listener);
    EXPECT_EQ(second.start_time, first.state.time);
    EXPECT_NEAR(first.energy + second.energy, whole.energy, 1e-12) << to_string(method);
    EXPECT_NEAR(first.distance + second.distance, whole.distance, 1e-12) << to_string(method);
  }
}

// An event ends the run within a step: only the part before it counts.
TEST(StepMeter, CountsUntilTheEventThatEndsTheRun) {
  for (const IntegrationMethod method : kMethods) {
    World world = flywheel({.name = "motor", .dof = 0}, ConstantSignal{3}, TargetQuantity::effort);
    world.settings.integrator = options_of(method, 0.02);
    world.events.push_back({.name = "turned", .threshold = 10.05, .stop = true});
    const RunReport report = run_for(world, 2);
    EXPECT_EQ(report.outcome, Outcome::stopped_by_event);
    EXPECT_NEAR(report.energy, 3 * 10.05, 1e-6) << to_string(method);
  }
}

}  // namespace
}  // namespace grouser::internal
