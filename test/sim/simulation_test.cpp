#include "sim/simulation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "core/error.h"
#include "core/parallel.h"
#include "sim/test_worlds.h"
#include "support/allocation_count.h"

namespace grouser::internal {
namespace {

/// A free block of 2 kg without gravity.
World block_in_space() {
  ModelSpec spec;
  spec.gravity = Vec3::Zero();
  spec.bodies.push_back({.name = "block",
                         .inertia = {.mass = 2, .com = Vec3::Zero(), .about_com = Mat3::Identity()},
                         .joint = {.type = JointType::free}});
  World world = world_of(std::move(spec));
  world.settings.integrator = {.method = IntegrationMethod::rk4, .step = 0.01};
  return world;
}

/// The swinging rod with a servo at its hinge.
World servo_pendulum(IntegrationMethod method) {
  ModelSpec spec = pendulum_chain(1);
  spec.actuators.push_back(
      {.name = "hinge", .type = ActuatorType::position, .dof = 0, .kp = 40, .kd = 4});
  World world = world_of(std::move(spec));
  world.settings.integrator = {.method = method, .step = 0.001};
  return world;
}

std::string complaint(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "";
}

// F/m t²/2 while it is pushed, evenly on after it.
TEST(Simulation, PushesAsItIsTold) {
  const World world = block_in_space();
  Simulation simulation(world);
  const BodyHandle block = simulation.body("block");
  simulation.set_wrench(block, {.torque = Vec3::Zero(), .force = Vec3(3, 0, 0)});
  EXPECT_EQ(simulation.run_to(2), Outcome::completed);
  EXPECT_NEAR(simulation.sample().X_WB[0].p.x(), 3.0 / 2 * 4 / 2, 1e-12);
  simulation.set_wrench(block, {});
  simulation.run_to(3);
  EXPECT_NEAR(simulation.sample().V_WB[0].linear.x(), 3, 1e-12);
  EXPECT_NEAR(simulation.sample().X_WB[0].p.x(), 3 + 3, 1e-12);
}

TEST(Simulation, ServosGoWhereTheyAreTold) {
  for (const auto method : {IntegrationMethod::rk4, IntegrationMethod::moreau_jean}) {
    const World world = servo_pendulum(method);
    Simulation simulation(world);
    const ActuatorHandle hinge = simulation.actuator("hinge");
    simulation.set_target(hinge, TargetQuantity::position, 0.5);
    simulation.run_to(5);
    // kp (0.5 - q) = m g L/2 sin q
    const double q = simulation.state().q[0];
    EXPECT_NEAR(40 * (0.5 - q), 9.81 / 2 * std::sin(q), 1e-6);
    simulation.release(hinge);
    simulation.run_to(10);
    EXPECT_NEAR(simulation.state().q[0], 0, 1e-6);
  }
}

TEST(Simulation, StepsFromPointToPointOfTheGrid) {
  const World world = servo_pendulum(IntegrationMethod::rk4);
  Simulation simulation(world);
  for (int k = 1; k <= 5; ++k) {
    EXPECT_TRUE(simulation.step());
    EXPECT_EQ(simulation.time(), 0.001 * k);
  }
  EXPECT_EQ(simulation.steps(), 5);
}

class SameBits : public testing::TestWithParam<IntegrationMethod> {};

INSTANTIATE_TEST_SUITE_P(Simulation, SameBits,
                         testing::Values(IntegrationMethod::rk4, IntegrationMethod::semi_implicit,
                                         IntegrationMethod::esdirk, IntegrationMethod::moreau_jean),
                         [](const auto& info) { return std::string(to_string(info.param)); });

// By steps, in one go, in parts, restored in the middle, and after having been looked at.
TEST_P(SameBits, HoweverItGetsThere) {
  World world = rover_world();
  world.settings.integrator.method = GetParam();
  const auto tell = [](Simulation& simulation) {
    const ActuatorHandle drive = simulation.actuator("drive0");
    simulation.set_target(drive, TargetQuantity::velocity, 2);
    simulation.set_wrench(simulation.body("trunk"),
                          {.torque = Vec3(0, 1, 0), .force = Vec3(5, 0, 0)});
  };
  Simulation whole(world);
  whole.run_to(0.3);
  tell(whole);
  whole.run_to(0.7);

  Simulation parts(world);
  while (parts.time() < 0.3 - 1e-9) parts.step();
  parts.sample();
  tell(parts);
  parts.sample();
  parts.run_to(0.5);
  const State saved = parts.state();
  parts.run_to(0.9);
  parts.restore(saved);
  EXPECT_EQ(parts.state(), saved);
  EXPECT_EQ(parts.run_to(0.7), Outcome::completed);
  EXPECT_EQ(hash(parts.state()), hash(whole.state()));

  Simulation other(world, saved);
  other.run_to(0.7);
  EXPECT_EQ(other.state(), whole.state());
  other.reset();
  EXPECT_EQ(other.state(), saved);
}

// A controller that pushes a block back to the middle is a spring and a damper with a sampled force.
TEST(Simulation, ControllersActAtTheirOwnRate) {
  const World world = block_in_space();
  Simulation simulation(world);
  std::vector<double> times;
  simulation.add_controller({.rate_hz = 40, .start_time = 0.05}, [&](Simulation& self) {
    times.push_back(self.time());
    const double x = self.sample().X_WB[0].p.x(), v = self.sample().V_WB[0].linear.x();
    self.set_wrench(self.body("block"),
                    {.torque = Vec3::Zero(), .force = Vec3(8 * (1 - x) - 8 * v, 0, 0)});
  });
  simulation.run_to(10);
  ASSERT_EQ(times.size(), 399u);  // 0.05, 0.075, ... 10
  EXPECT_NEAR(times.front(), 0.05, 1e-12);
  EXPECT_NEAR(times.back(), 10, 1e-12);
  EXPECT_NEAR(simulation.sample().X_WB[0].p.x(), 1, 1e-6);
}

TEST(Simulation, ControllersGoOnWhereAStateWasSaved) {
  const World world = block_in_space();
  const auto add = [](Simulation& simulation, int& calls) {
    simulation.add_controller({.rate_hz = 10}, [&calls](Simulation& self) {
      ++calls;
      self.set_wrench(self.body("block"),
                      {.torque = Vec3::Zero(), .force = Vec3(1 - self.time(), 0, 0)});
    });
  };
  int whole_calls = 0, half_calls = 0, more_calls = 0;
  Simulation whole(world), half(world);
  add(whole, whole_calls);
  whole.run_to(2);
  add(half, half_calls);
  half.run_to(1);
  Simulation more(world, half.state());
  add(more, more_calls);
  more.run_to(2);
  EXPECT_EQ(whole_calls, 21);
  EXPECT_EQ(half_calls + more_calls, whole_calls);  // none twice
  EXPECT_EQ(more.state(), whole.state());
}

TEST(Simulation, StopsWhenAskedAndGoesOn) {
  const World world = servo_pendulum(IntegrationMethod::rk4);
  Simulation simulation(world);
  const std::atomic<bool> stop = true;
  EXPECT_EQ(simulation.run_to(1, &stop), Outcome::interrupted);
  EXPECT_EQ(simulation.time(), 0.001);
  EXPECT_EQ(simulation.run_to(1), Outcome::completed);
  Simulation whole(world);
  whole.run_to(1);
  EXPECT_EQ(simulation.state(), whole.state());
}

TEST(Simulation, GoesOnAfterAnEventThatStops) {
  World world = servo_pendulum(IntegrationMethod::rk4);
  world.initial.q[0] = 1;
  world.model = Model(pendulum_chain(1));
  world.events.push_back(
      {.name = "low", .quantity = EventQuantity::joint_position, .direction = -1, .stop = true});
  Simulation simulation(world);
  EXPECT_EQ(simulation.run_to(20), Outcome::stopped_by_event);
  const double first = simulation.time();
  EXPECT_NEAR(simulation.state().q[0], 0, 1e-9);
  EXPECT_EQ(simulation.run_to(20), Outcome::stopped_by_event);
  EXPECT_NEAR(simulation.time() / first, 5, 1e-3);  // a quarter of a period, then a whole one more
  EXPECT_EQ(simulation.events().size(), 2u);
}

// Each in a thread of its own, with threads of its own; nothing of the others shows.
TEST(Simulation, SeveralOfOneWorldRunSideBySide) {
  const World world = rover_world();
  constexpr int kCount = 4;
  std::vector<std::uint64_t> alone, together(kCount);
  const auto run = [&](int k) {
    Simulation simulation(world, k % 2 == 0 ? 1 : 2);
    simulation.set_target(simulation.actuator("drive1"), TargetQuantity::velocity, k);
    simulation.run_to(0.4);
    return hash(simulation.state());
  };
  for (int k = 0; k < kCount; ++k) alone.push_back(run(k));
  std::vector<std::thread> threads;
  for (int k = 0; k < kCount; ++k) {
    threads.emplace_back([&, k] { together[static_cast<std::size_t>(k)] = run(k); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(together, alone);
  EXPECT_NE(alone[0], alone[1]);
}

TEST(Simulation, SaysWhatItIsNotTold) {
  const World world = servo_pendulum(IntegrationMethod::rk4);
  Simulation simulation(world);
  EXPECT_NE(complaint([&] { simulation.actuator("hinje"); }).find("did you mean 'hinge'"),
            std::string::npos);
  EXPECT_NE(complaint([&] { simulation.body("rod"); }).find("there is no body"), std::string::npos);
  EXPECT_NE(complaint([&] {
              simulation.set_target({0}, TargetQuantity::position, std::nan(""));
            }).find("not finite"),
            std::string::npos);
  EXPECT_NE(complaint([&] {
              simulation.set_wrench({0}, {.torque = Vec3::Zero(), .force = Vec3(INFINITY, 0, 0)});
            }).find("not finite"),
            std::string::npos);
  EXPECT_NE(complaint([&] { simulation.add_controller({.rate_hz = 0}, {}); }).find("rate"),
            std::string::npos);
  World turned = servo_pendulum(IntegrationMethod::rk4);
  ModelSpec spec = pendulum_chain(1);
  spec.actuators.push_back({.name = "motor", .type = ActuatorType::torque, .dof = 0});
  turned.model = Model(std::move(spec));
  Simulation driven(turned);
  EXPECT_NE(complaint([&] {
              driven.set_target(driven.actuator("motor"), TargetQuantity::position, 1);
            }).find("a torque actuator takes no position"),
            std::string::npos);
}

TEST(Simulation, RefusesTimesThatArePast) {
  const World world = block_in_space();
  Simulation simulation(world);
  simulation.run_to(1);
  EXPECT_NE(complaint([&] { simulation.run_to(0.5); }).find("it is 1 s already"),
            std::string::npos);
  EXPECT_NE(complaint([&] { simulation.run_to(std::nan("")); }).find("cannot run to"),
            std::string::npos);
  EXPECT_EQ(simulation.run_to(1), Outcome::completed);
}

TEST(Simulation, IsNotMovedByThoseItCalls) {
  const World world = block_in_space();
  const std::vector<Controller> intruders = {
      [](Simulation& self) { self.run_to(5); }, [](Simulation& self) { self.step(); },
      [](Simulation& self) { self.reset(); },
      [](Simulation& self) { self.add_controller({}, [](Simulation&) {}); }};
  for (const double start : {0.0, 0.5}) {  // called when it is added, or in a step
    for (const Controller& intruder : intruders) {
      Simulation simulation(world);
      EXPECT_NE(complaint([&] {
                  simulation.add_controller({.rate_hz = 10, .start_time = start}, intruder);
                  simulation.run_to(1);
                }).find("is moving"),
                std::string::npos);
    }
  }
}

TEST(Simulation, RefusesInputsOfOtherWorlds) {
  const World world = block_in_space();
  for (const int index : {-1, 1}) {
    State state = initial_state(world);
    state.inputs.wrenches.push_back({.body = index});
    EXPECT_THROW(Simulation(world, state), Error);
    state = initial_state(world);
    state.inputs.targets.push_back({.actuator = index});
    EXPECT_THROW(Simulation(world, state), Error);
  }
}

// An observer may set inputs; forces follow from the next step on: F/m t²/2 after the first second.
TEST(Simulation, HeedsObservers) {
  World world = block_in_space();
  world.settings.record_rate_hz = 1;
  struct Pusher : Observer {
    void on_sample(const Sample& sample) override {
      if (sample.time < 0.5) return;
      simulation->set_wrench(simulation->body("block"),
                             {.torque = Vec3::Zero(), .force = Vec3(4, 0, 0)});
    }
    Simulation* simulation = nullptr;
  } pusher;
  Simulation simulation(world);
  pusher.simulation = &simulation;
  simulation.set_observer(&pusher);
  simulation.run_to(3);
  EXPECT_NEAR(simulation.state().v[3], 4.0 / 2 * 2, 1e-12);
  simulation.set_observer(nullptr);
}

TEST(Simulation, AllocatesNothingInASteadyStep) {
  const World world = rover_world();
  Simulation simulation(world, 1);
  simulation.set_wrench(simulation.body("trunk"), {.torque = Vec3(0, 0, 1), .force = Vec3::Zero()});
  simulation.run_to(0.1);
  const std::uint64_t before = allocation_count();
  simulation.run_to(0.2);
  EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace grouser::internal
