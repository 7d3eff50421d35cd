#include "sim/simulate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <numbers>

#include "core/clock.h"
#include "core/error.h"
#include "core/parallel.h"
#include "sim/divergence.h"
#include "sim/evaluate.h"
#include "sim/test_worlds.h"
#include "sim/world_ode.h"
#include "support/allocation_count.h"
#include "support/sanitized.h"

namespace grouser::internal {
namespace {

/// A square rod 0.02 m thick, swinging about its end: I = m (L²/3 + 0.02²/12).
constexpr double kRodInertia = 1.0 / 3 + 0.02 * 0.02 / 12;
/// Period of its small swings, 2π sqrt(I / (m g L/2)).
const double kRodPeriod = 2 * std::numbers::pi * std::sqrt(kRodInertia / (9.81 * 0.5));

World pendulum() {
  World world = world_of(pendulum_chain(1));
  world.initial.q[0] = 1e-4;
  return world;
}

TEST(Simulate, PendulumHasItsPeriod) {
  World world = pendulum();
  world.events.push_back(
      {.name = "low", .quantity = EventQuantity::joint_position, .direction = -1});
  Listener listener;
  run_for(world, 10, listener);
  ASSERT_EQ(listener.events.size(), 6u);  // 0.25, 1.25, ... 5.25 periods of 1.638 s
  for (std::size_t k = 0; k < listener.events.size(); ++k) {
    // The finite amplitude adds q²/16 = 6e-10 of the period; measured 5e-9 s in all.
    EXPECT_NEAR(listener.events[k].time, (0.25 + static_cast<double>(k)) * kRodPeriod, 1e-7);
  }
}

TEST(Simulate, EventsAreLocatedAlikeByAllMethods) {
  for (const IntegrationMethod method : {IntegrationMethod::rk4, IntegrationMethod::esdirk,
                                         IntegrationMethod::bdf, IntegrationMethod::adams}) {
    World world = pendulum();
    world.settings.integrator = {
        .method = method, .step = 0.01, .relative_tolerance = 1e-10, .absolute_tolerance = 1e-13};
    world.events.push_back({.name = "low", .stop = true});
    Listener listener;
    const RunReport report = run_for(world, 10, listener);
    EXPECT_EQ(report.outcome, Outcome::stopped_by_event);
    EXPECT_NEAR(report.state.time, 0.25 * kRodPeriod, 1e-6) << to_string(method);
    EXPECT_NEAR(report.state.q[0], 0, 1e-12) << to_string(method);
    EXPECT_LE(listener.times.back(), report.state.time);
  }
}

TEST(Simulate, RecordsAtTheAskedTimesWithoutTouchingTheMotion) {
  World coarse = pendulum(), fine = pendulum();
  coarse.initial.q[0] = fine.initial.q[0] = 1;
  coarse.settings.record_rate_hz = 1;
  fine.settings.record_rate_hz = 333;
  Listener few, many;
  const State a = run_for(coarse, 2.0005, few).state, b = run_for(fine, 2.0005, many).state;
  EXPECT_TRUE(a == b);
  EXPECT_EQ(few.times, (std::vector<double>{0, 1, 2, 2.0005}));
  ASSERT_EQ(many.times.size(), 668u);
  for (std::size_t k = 0; k < 667; ++k) {
    EXPECT_DOUBLE_EQ(many.times[k], static_cast<double>(k) / 333);
  }
}

TEST(Simulate, SameBitsForAnyNumberOfThreads) {
  // Enough trees that threads share them, and the rover besides.
  ModelSpec spec = rover_tree();
  CounterRng rng(3);
  for (int i = 0; i < 200; ++i) {
    BodySpec body;
    body.name = "stone" + std::to_string(i);
    body.inertia = random_inertia(rng);
    body.joint.type = JointType::free;
    spec.bodies.push_back(body);
  }
  for (int i = 0; i < 100; ++i) {
    spec.springs.push_back({.name = "s" + std::to_string(i),
                            .a = {16 + 2 * i, Vec3::Zero()},
                            .b = {17 + 2 * i, Vec3(0.1, 0, 0)},
                            .stiffness = 20,
                            .rest_length = 0.3});
  }
  World world = world_of(std::move(spec));
  world.initial.q = random_positions(world.model, rng);
  world.initial.v = random_vector(world.model.velocity_size(), rng);
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 5, 8}) {
    set_thread_count(threads);
    hashes.push_back(hash(run_for(world, 0.5).state));
  }
  set_thread_count(0);
  for (const std::uint64_t h : hashes) EXPECT_EQ(h, hashes[0]);
}

class SplitRuns : public testing::TestWithParam<IntegrationMethod> {};

TEST_P(SplitRuns, GiveTheSameBitsAsAWholeOne) {
  World world = rover_world();
  world.settings.integrator = {.method = GetParam(),
                               .step = GetParam() == IntegrationMethod::esdirk ? 0.02 : 2e-3};
  world.settings.record_rate_hz = 10;
  const double end = unless_sanitized(10, 2);
  const std::uint64_t whole = hash(run_for(world, end).state);
  CounterRng rng(11);
  for (int i = 0; i < unless_sanitized(20, 8); ++i) {
    // Some on the grid but for rounding, where a part must not shift the next step.
    const double split = i < 5 ? 0.1 + 0.2 * i : rng.uniform(0, end);
    const State middle = run_for(world, split).resumable;
    EXPECT_LE(middle.time, split);
    Listener listener;
    EXPECT_EQ(hash(simulate(world, middle, {.end_time = end}, listener).state), whole)
        << "split at " << split;
  }
}

INSTANTIATE_TEST_SUITE_P(OneStep, SplitRuns,
                         testing::Values(IntegrationMethod::rk4, IntegrationMethod::semi_implicit,
                                         IntegrationMethod::esdirk),
                         [](const auto& info) { return std::string(to_string(info.param)); });

/// The rover floating in zero gravity and told to drive straight ahead by a path.
World path_world() {
  ModelSpec spec = rover_tree();
  spec.gravity = Vec3::Zero();
  Rover rover{.name = "rover"};
  for (const int steer : {7, 9, 12, 14, 17, 19}) {
    const std::string n = std::to_string(steer);
    spec.actuators.push_back(
        {.name = "steer" + n, .type = ActuatorType::position, .dof = steer, .kp = 15, .kd = 1.5});
    spec.actuators.push_back(
        {.name = "drive" + n, .type = ActuatorType::velocity, .dof = steer + 1, .kd = 0.05});
    rover.wheels.push_back(
        {.name = n, .drive_dof = steer + 1, .steer_dof = steer, .radius = 0.129});
  }
  World world = world_of(std::move(spec));
  for (Wheel& wheel : rover.wheels) wheel.body = world.model.joint_of_dof(wheel.drive_dof);
  world.rovers.push_back(rover);
  PathCommand command{.start_time = 0.5, .rate_hz = 7};  // ticks between the points of the grid
  command.plan.waypoints = {{10, 0}};
  command.plan.speed = 0.1;
  world.path_commands.push_back(command);
  return world;
}

TEST(PathCommand, TurnsTheWheelsAtTheSpeedOfThePath) {
  const World world = path_world();
  EXPECT_EQ(run_for(world, 0.499).state.v[8], 0);  // not begun
  const State state = run_for(world, 3).state;
  for (const Wheel& wheel : world.rovers[0].wheels) {
    EXPECT_NEAR(state.v[wheel.drive_dof], 0.1 / 0.129, 1e-3);
    EXPECT_NEAR(state.q[world.model.position_of_dof(wheel.steer_dof)], 0, 1e-3);
  }
}

TEST(PathCommand, SplitRunsGiveTheSameBits) {
  const World world = path_world();
  const std::uint64_t whole = hash(run_for(world, 3).state);
  for (const double split : {0.5, 0.64, 1.2345, 0.5 + 5 / 7.0}) {
    Listener listener;
    const State middle = run_for(world, split).resumable;
    EXPECT_EQ(hash(simulate(world, middle, {.end_time = 3}, listener).state), whole) << split;
  }
}

TEST(Simulate, MultistepMethodsSayThatTheyDoNotPromiseTheSameBits) {
  World world = pendulum();
  world.settings.integrator.method = IntegrationMethod::bdf;
  const RunReport report = run_for(world, 1);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_NE(report.warnings[0].find("not to the bit"), std::string::npos);
}

TEST(Simulate, CheckpointsComeOnTheirInterval) {
  World world = pendulum();
  world.settings.checkpoint_interval = 0.3;
  Listener listener;
  run_for(world, 1, listener);
  ASSERT_EQ(listener.checkpoints.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(listener.checkpoints[k].time, 0.3 * static_cast<double>(k + 1), 1e-12);
  }
}

TEST(Simulate, InterruptStopsOnTheGrid) {
  World world = pendulum();
  std::atomic<bool> stop = false;
  struct Interrupter : Observer {
    explicit Interrupter(std::atomic<bool>& f) : flag(f) {}
    void on_step(double time, long) override { flag = time > 0.5; }
    std::atomic<bool>& flag;
  } interrupter(stop);
  const RunReport report =
      simulate(world, initial_state(world), {.end_time = 10, .interrupt = &stop}, interrupter);
  EXPECT_EQ(report.outcome, Outcome::interrupted);
  EXPECT_LT(report.state.time, 0.51);
  EXPECT_TRUE(report.state == report.resumable);
}

TEST(Simulate, DivergenceNamesBodyAndTimeAndKeepsTheLastGoodState) {
  for (const IntegrationMethod method : {IntegrationMethod::rk4, IntegrationMethod::bdf}) {
    ModelSpec spec = pendulum_chain(2);
    // An end stop: stiffness that acts from the beginning is refused before.
    spec.bodies[1].joint.laws = {{.upper = 0.4, .stop_stiffness = 1e12}};
    World world = world_of(std::move(spec));
    world.initial.q[1] = 0.5;
    world.settings.integrator = {.method = method, .step = 1e-2, .max_step = 0, .max_steps = 50};
    Listener listener;
    listener.keep_samples = true;
    try {
      run_for(world, 10, listener);
      FAIL() << "should have diverged with " << to_string(method);
    } catch (const DivergedError& error) {
      EXPECT_EQ(error.kind(), ErrorKind::diverged);
      EXPECT_NE(std::string(error.what()).find("body 'link"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("t = "), std::string::npos);
      if (method == IntegrationMethod::rk4) {
        EXPECT_NE(std::string(error.what()).find("an end stop is too stiff"), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("moreau_jean"), std::string::npos);
      }
      EXPECT_TRUE(error.last_good().q.allFinite());
    }
    for (const Sample& sample : listener.samples) {
      EXPECT_TRUE(sample.q.allFinite() && sample.v.allFinite());
    }
  }
}

TEST(Simulate, StepLimitEndsARunThatCrawls) {
  World world = pendulum();
  world.initial.q[0] = 1;
  world.settings.integrator = {.method = IntegrationMethod::adams,
                               .relative_tolerance = 1e-10,
                               .absolute_tolerance = 1e-12,
                               .max_steps = 20};
  try {
    run_for(world, 10);
    FAIL();
  } catch (const DivergedError& error) {
    EXPECT_NE(std::string(error.what()).find("max_steps"), std::string::npos) << error.what();
  }
}

TEST(Simulate, NoAllocationInAStep) {
  World world = rover_world();
  world.events.push_back({.name = "z", .quantity = EventQuantity::body_z, .threshold = 100});
  struct Counter : Observer {
    void on_step(double time, long) override {
      if (time > 0.1 && start == 0) start = allocation_count();
      if (time > 0.1) last = allocation_count();
      if (time > 0.1) ++steps;
    }
    std::uint64_t start = 0, last = 0;
    int steps = 0;
  } counter;
  simulate(world, initial_state(world), {.end_time = 1}, counter);
  EXPECT_GT(counter.steps, 500);
  EXPECT_EQ(counter.last, counter.start);
}

TEST(Simulate, PrescribedMotionIsFollowedAndItsEffortIsTheHandValue) {
  ModelSpec spec = pendulum_chain(1);
  spec.actuators.push_back({.name = "motor", .type = ActuatorType::prescribed, .dof = 0});
  World driven = world_of(std::move(spec));
  const SineSignal sine{.amplitude = 0.5, .frequency_hz = 0.5};
  driven.joint_commands.push_back(
      {.actuator = 0, .quantity = TargetQuantity::position, .signal = sine});
  driven.initial.v[0] = 0.5 * 2 * std::numbers::pi * 0.5;
  Listener listener;
  listener.keep_samples = true;
  run_for(driven, 4, listener);
  for (const Sample& sample : listener.samples) {
    const SignalValue wanted = evaluate(Signal(sine), sample.time);
    EXPECT_NEAR(sample.q[0], wanted.value, 1e-10);
    const double torque = kRodInertia * wanted.acceleration + 9.81 * 0.5 * std::sin(wanted.value);
    EXPECT_NEAR(sample.actuator_effort[0], torque, 1e-8);  // measured 9e-9
  }
}

TEST(Simulate, WinchLowersTheLoadAtItsRate) {
  ModelSpec spec;
  spec.gravity = Vec3(0, 0, -3.72);
  BodySpec load;
  load.name = "load";
  load.inertia = {10, Vec3::Zero(), Mat3::Identity()};
  load.joint.type = JointType::free;
  spec.bodies.push_back(load);
  spec.tethers.push_back({.name = "rope",
                          .a = {kWorld, Vec3(0, 0, 5)},
                          .b = {0, Vec3::Zero()},
                          .stiffness = 1e4,
                          .damping = 300,
                          .length = 1,
                          .rate = 0.1,
                          .rate_start = 1,
                          .rate_end = 6});
  World world = world_of(std::move(spec));
  world.initial.q[6] = 4 - 37.2 / 1e4;  // at rest on the rope
  Listener listener;
  listener.keep_samples = true;
  run_for(world, 12, listener);
  EXPECT_NEAR(listener.samples.front().tether_tension[0], 37.2, 1e-9);
  EXPECT_NEAR(listener.samples[250].V_WB[0].linear.z(), -0.1, 1e-4);  // t = 5 s, steady
  EXPECT_NEAR(listener.samples.back().X_WB[0].p.z(), 5 - 1.5 - 37.2e-4, 1e-6);
  EXPECT_NEAR(listener.samples.back().tether_tension[0], 37.2, 1e-3);
}

TEST(Simulate, AngularVelocityKeepsUnitQuaternions) {
  World world = rover_world();
  const RunReport report = run_for(world, 5);
  EXPECT_NEAR(report.state.q.head<4>().norm(), 1, 1e-15);
}

TEST(Simulate, OpenLoopIsRefusedByName) {
  ModelSpec spec = pendulum_chain(1);
  spec.loops.push_back(
      {"rod", DistanceLoop{.a = {0, Vec3(0, 0, -1)}, .b = {kWorld, Vec3(0, 0, 50)}, .length = 1}});
  const World world = world_of(std::move(spec));
  try {
    initial_state(world);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_NE(std::string(error.what()).find("'rod'"), std::string::npos);
  }
}

TEST(Simulate, EnergyIsThePositiveWorkOfTheMotors) {
  // A flywheel spun up by a constant torque: all work becomes kinetic energy ½ I ω².
  ModelSpec spec;
  spec.gravity = Vec3::Zero();
  BodySpec wheel;
  wheel.name = "flywheel";
  wheel.inertia = {1, Vec3::Zero(), Mat3(Vec3(0.1, 0.1, 0.2).asDiagonal())};
  wheel.joint = {.name = "axle", .type = JointType::revolute};
  spec.bodies.push_back(wheel);
  spec.actuators.push_back({.name = "motor", .dof = 0});
  World world = world_of(std::move(spec));
  world.joint_commands.push_back(
      {.actuator = 0, .quantity = TargetQuantity::effort, .signal = ConstantSignal{3}});
  const RunReport report = run_for(world, 2);
  const double omega = 3 / 0.2 * 2;
  EXPECT_NEAR(report.state.v[0], omega, 1e-9);
  EXPECT_NEAR(report.energy, 0.5 * 0.2 * omega * omega, 1e-6);
}

TEST(Clock, TicksAreExactAfterAnyTime) {
  const Clock clock{0.5, 1.0 / 30};
  EXPECT_DOUBLE_EQ(clock.time_of(3e8), 0.5 + 1e7);
  EXPECT_EQ(clock.first_tick_from(0.5), 0);
  EXPECT_EQ(clock.first_tick_from(0.5 + 1.0 / 30), 1);
  EXPECT_EQ(clock.first_tick_from(0.51), 1);
  EXPECT_TRUE(clock.is_due(1, 0.5 + 1.0 / 30));
  EXPECT_FALSE(clock.is_due(1, 0.5 + 0.9 / 30));
}

}  // namespace
}  // namespace grouser::internal
