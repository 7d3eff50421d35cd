// Simulations through the public face.
#include "grouser/simulation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "grouser/run.h"
#include "support/allocation_count.h"
#include "support/temporary_folder.h"

namespace grouser {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A slider of 2 kg on a rail along x, moved by a motor, and a free ball high above it. No ground, no gravity.
World rail() {
  const Map slider{
      {"name", "slider"},
      {"mass", 2},
      {"shape", Map{{"box", List{0.1, 0.1, 0.1}}}},
      {"joint",
       Map{{"name", "rail"}, {"type", "prismatic"}, {"parent", "world"}, {"axis", List{1, 0, 0}}}}};
  const Map ball{
      {"name", "ball"}, {"mass", 0.5}, {"shape", Map{{"sphere", Map{{"radius", 0.05}}}}}};
  return World::build(Map{
      {"gravity", "zero"},
      {"integrator", Map{{"method", "rk4"}, {"step", 0.01}}},
      {"models",
       List{
           Map{{"name", "m"}, {"tree", Map{{"bodies", List{slider}}}}},
           Map{{"name", "b"}, {"position", List{0, 0, 5}}, {"tree", Map{{"bodies", List{ball}}}}}}},
      {"actuators", List{Map{{"name", "motor"}, {"joint", "rail"}, {"type", "torque"}}}}});
}

/// A rover that rolls over ground of the fast kind.
World rover() {
  return World::build(
      Map{{"gravity", "mars"},
          {"terrain",
           Map{{"surface", Map{{"size", List{6, 4}}}}, {"spacing", 0.05}, {"soil", "dry_sand"}}},
          {"models", List{Map{{"name", "rover"},
                              {"rover", "exomars"},
                              {"on_ground", true},
                              {"position", List{-1, 0, 0.57}}}}},
          {"contacts", List{Map{{"model", "terra"}, {"wheels", "all"}}}},
          {"commands", List{Map{{"wheels", "all"}, {"ground_speed", 0.1}}}}});
}

// x = F t²/(2 m), v = F t/m; the power is F v.
TEST(Simulation, PushesAsNewtonSays) {
  Simulation simulation(rail());
  const Actuator motor = simulation.actuator("motor");
  simulation.set_target(motor, Target::effort, 3);
  EXPECT_EQ(simulation.run_to(2), Outcome::completed);
  const BodySample& slider = simulation.sample(simulation.body("m/slider"));
  EXPECT_NEAR(slider.pose.position.x, 3, 1e-12);
  EXPECT_NEAR(slider.twist.linear.x, 3, 1e-12);
  EXPECT_NEAR(simulation.sample(motor).power, 9, 1e-11);
  EXPECT_NEAR(simulation.report().energy, 9, 1e-9);
  simulation.set_target(motor, Target::effort, 0);
  simulation.run_to(3);
  EXPECT_NEAR(simulation.sample(simulation.body("m/slider")).pose.position.x, 6, 1e-11);
}

// A load of 1 N on half a kilogram; and a turn of the ball by its torque: ω = τ t / (2/5 m r²).
TEST(Simulation, LoadsActAtTheBodysOrigin) {
  Simulation simulation(rail());
  const Body ball = simulation.body("b/ball");
  simulation.set_wrench(ball, {.torque = {0, 0, 1e-4}, .force = {0, 1, 0}});
  simulation.run_to(1);
  const BodySample& sample = simulation.sample(ball);
  EXPECT_NEAR(sample.pose.position.y, 1, 1e-12);
  EXPECT_NEAR(sample.pose.position.z, 5, 1e-12);
  EXPECT_NEAR(sample.twist.angular.z, 1e-4 / (0.4 * 0.5 * 0.05 * 0.05), 1e-10);
  const Quaternion& q = sample.pose.orientation;
  EXPECT_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-14);
  EXPECT_NEAR(2 * std::atan2(q.z, q.w), 0.5 * 0.2, 1e-10);  // half of ω t
}

TEST(Simulation, StepsAlongItsGrid) {
  Simulation simulation(rail());
  EXPECT_TRUE(simulation.step());
  EXPECT_DOUBLE_EQ(simulation.time(), 0.01);
  EXPECT_EQ(simulation.steps(), 1);
  simulation.reset();
  EXPECT_EQ(simulation.time(), 0);
  std::atomic<bool> stop = true;
  EXPECT_EQ(simulation.run_to(1, &stop), Outcome::interrupted);
  EXPECT_LT(simulation.time(), 0.05);
  stop = false;
  EXPECT_EQ(simulation.run_to(1, &stop), Outcome::completed);
}

// Two runs of 0.4 s, one of them saved and restored in another simulation half way.
TEST(Simulation, GoesOnFromASavedStateToTheBit) {
  const World world = rover();
  Simulation whole(world);
  whole.run_to(0.4);
  Simulation first(world);
  first.run_to(0.2);
  const State half = first.state();
  EXPECT_DOUBLE_EQ(half.time(), 0.2);
  Simulation second(world, half);
  second.run_to(0.4);
  EXPECT_EQ(second.state(), whole.state());
  EXPECT_EQ(second.state().hash(), whole.state().hash());
  first.run_to(0.3);
  EXPECT_NE(first.state(), half);
  first.restore(half);
  EXPECT_EQ(first.state(), half);
  first.run_to(0.4);
  EXPECT_EQ(first.state(), whole.state());
}

// Cut short, changed in one place, of another world: never a state.
TEST(Simulation, DamagedBytesAreNoState) {
  const World world = rover();
  const State state = Simulation(world).state();
  const std::vector<std::byte> bytes = state.to_bytes(world);
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{10}, std::size_t{24}, bytes.size() / 2, bytes.size() - 1}) {
    EXPECT_THROW(State::from_bytes(std::span(bytes).first(length), world), Error) << length;
  }
  for (std::size_t at = 0; at < bytes.size(); at += 997) {
    std::vector<std::byte> damaged = bytes;
    damaged[at] ^= std::byte{1};
    EXPECT_THROW(State::from_bytes(damaged, world), Error) << at;
  }
  EXPECT_THROW(State::from_bytes(bytes, rail()), Error);
  EXPECT_THROW(state.to_bytes(rail()), Error);
}

// Each in its own thread; they share the world and nothing else.
TEST(Simulation, RunsSideBySide) {
  const World world = rover();
  Simulation alone(world);
  alone.run_to(0.2);
  std::vector<std::uint64_t> hashes(3);
  std::vector<std::thread> threads;
  for (std::uint64_t& hash : hashes) {
    threads.emplace_back([&] {
      Simulation simulation(world, {.threads = 2});
      simulation.run_to(0.2);
      hash = simulation.state().hash();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, alone.state().hash());
}

// A controller of 10 Hz from 0 on ticks at 0, 0.1, ... 0.5.
TEST(Simulation, CallsControllersAtTheirRate) {
  Simulation simulation(rail());
  std::vector<double> ticks;
  simulation.add_controller({.rate_hz = 10}, [&](Simulation& self) {
    ticks.push_back(self.time());
    self.set_target(self.actuator("motor"), Target::effort, 2);
    EXPECT_THROW(self.step(), Error);
  });
  simulation.run_to(0.55);
  ASSERT_EQ(ticks.size(), 6u);
  for (std::size_t k = 0; k < ticks.size(); ++k) EXPECT_NEAR(ticks[k], 0.1 * double(k), 1e-12);
  EXPECT_NEAR(simulation.sample().v[0], 0.55, 1e-12);
}

TEST(Simulation, RefusesNonsense) {
  Simulation simulation(rail());
  try {
    simulation.actuator("mator");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(std::string(error.what()).find("did you mean 'motor'"), std::string::npos);
  }
  const Actuator motor = simulation.actuator("motor");
  EXPECT_THROW(simulation.set_target(motor, Target::position, 1), Error);  // it takes efforts
  EXPECT_THROW(simulation.set_target(motor, Target::effort, std::nan("")), Error);
  EXPECT_THROW(simulation.set_target({7}, Target::effort, 1), Error);
  EXPECT_THROW(simulation.release({-1}), Error);
  EXPECT_THROW(simulation.set_wrench({2}, {}), Error);
  EXPECT_THROW(simulation.set_wrench({0}, {.force = {kInfinity, 0, 0}}), Error);
  EXPECT_THROW(simulation.sample(Wheel{0}), Error);
  EXPECT_THROW(simulation.run_to(-1), Error);
  EXPECT_THROW(simulation.run_to(std::nan("")), Error);
  EXPECT_THROW(simulation.add_controller({.rate_hz = 0}, [](Simulation&) {}), Error);
  EXPECT_THROW(simulation.ground_at(0, 0), Error);
  EXPECT_THROW(Simulation(rover(), simulation.state()), Error);
  EXPECT_EQ(simulation.run_to(0.1), Outcome::completed);  // none of it did harm
}

TEST(Simulation, ShowsTheGroundInAWindow) {
  Simulation simulation(rover());
  const GroundWindow window{.x = -1, .y = 0.25, .spacing = 0.5, .columns = 3, .rows = 2};
  const std::vector<double> heights = simulation.ground_heights(window);
  ASSERT_EQ(heights.size(), 6u);
  EXPECT_EQ(heights[5], simulation.ground_at(0, 0.75).height);
  EXPECT_EQ(simulation.world().ground_heights(window), heights);  // untouched as yet
  const GroundBounds bounds = simulation.world().ground_bounds();
  EXPECT_EQ(bounds.x_max - bounds.x_min, 6);
  EXPECT_EQ(bounds.y_max - bounds.y_min, 4);
  EXPECT_THROW(simulation.ground_heights({.columns = 0, .rows = 1}), Error);
  EXPECT_THROW(simulation.ground_heights({.spacing = -1, .columns = 1, .rows = 1}), Error);
  EXPECT_THROW(simulation.ground_heights({.x = kInfinity, .columns = 1, .rows = 1}), Error);
  EXPECT_THROW(simulation.ground_heights({.columns = 100000, .rows = 100000}), Error);
  EXPECT_THROW(rail().ground_bounds(), Error);
}

TEST(Simulation, WheelsAreKnownByName) {
  Simulation simulation(rover());
  simulation.run_to(1);
  double load = 0;
  for (const std::string& name : simulation.world().wheels()) {
    load += simulation.sample(simulation.wheel(name)).normal;
  }
  EXPECT_NEAR(load, simulation.world().total_mass() * 3.72076, 0.02 * load);  // still settling
  EXPECT_GT(simulation.sample(simulation.wheel("rover/front_left")).sinkage, 0);
  EXPECT_EQ(simulation.report().wheels.size(), 6u);
}

// A host lets a box of 2 kg slide over a plane that leans: gravity has a part along it, a = g (sin - μ cos).
TEST(Simulation, TakesAHostsContacts) {
  const double lean = 0.5, friction = 0.3, g = 9.81;
  const Map box{{"name", "box"}, {"mass", 2}, {"shape", Map{{"box", List{0.2, 0.2, 0.1}}}}};
  const World plain = World::build(Map{
      {"gravity", List{g * std::sin(lean), 0, -g * std::cos(lean)}},
      {"integrator", Map{{"method", "moreau_jean"}, {"step", 0.001}, {"margin", 1e-9}}},
      {"models",
       List{Map{
           {"name", "m"}, {"position", List{0, 0, 0.05}}, {"tree", Map{{"bodies", List{box}}}}}}}});
  EXPECT_THROW(Simulation(plain).set_contacts({}), Error);
  Simulation simulation(plain.with_host_contacts());
  std::vector<HostContact> corners;
  for (const double x : {-0.1, 0.1}) {
    for (const double y : {-0.1, 0.1}) {
      corners.push_back({.point = {x, y, 0}, .friction = friction});
    }
  }
  simulation.set_contacts(corners);
  simulation.run_to(0.5);
  const double a = g * (std::sin(lean) - friction * std::cos(lean));
  EXPECT_NEAR(simulation.sample(Body{0}).twist.linear.x, 0.5 * a, 1e-6);
  double load = 0, drag = 0;
  for (const HostContactForce& contact : simulation.contact_forces()) {
    load += contact.force.z;
    drag -= contact.force.x;
  }
  EXPECT_NEAR(load, 2 * g * std::cos(lean), 1e-6);
  EXPECT_NEAR(drag, friction * load, 1e-6);
  const State state = simulation.state();
  corners[1].normal = {0, 0, 2};
  corners[2].friction = -1;
  try {
    simulation.set_contacts(corners);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.issues().size(), 2u);
  }
  EXPECT_EQ(simulation.state(), state);
}

// Neither stepping nor looking nor telling it something new allocates, once everything has its size.
TEST(Simulation, StepsWithoutAllocating) {
  Simulation simulation(rover(), {.threads = 1});
  const Actuator drive = simulation.actuator("rover/front_left_drive");
  const auto advance = [&] {
    simulation.set_target(drive, Target::velocity, 0.5 + simulation.sample(drive).power);
    simulation.step();
    return simulation.sample().kinetic_energy;
  };
  for (int k = 0; k < 200; ++k) advance();
  const std::uint64_t before = internal::allocation_count();
  double sum = 0;
  for (int k = 0; k < 200; ++k) sum += advance();
  EXPECT_EQ(internal::allocation_count() - before, 0u);
  EXPECT_GT(sum, 0);
}

class Recording : public internal::TemporaryFolderTest {};

TEST_F(Recording, IsReadBack) {
  Simulation simulation(rover());
  simulation.record(folder_ / "run");
  simulation.run_to(0.5);
  const Wheel wheel = simulation.wheel("rover/front_left");
  const double slip = simulation.sample(wheel).slip;
  simulation.stop_recording();
  const grouser::Run run(folder_ / "run");
  EXPECT_TRUE(run.is_complete());
  ASSERT_EQ(run.times().size(), 26u);  // 50 Hz by default, both ends
  EXPECT_NEAR(run.times().back(), 0.5, 1e-12);
  const Table slips = run.read("/wheels/slip");
  ASSERT_EQ(slips.columns.size(), 6u);
  const auto column = static_cast<std::size_t>(wheel.index);
  EXPECT_EQ(slips.columns[column].label, "rover/front_left.slip");
  EXPECT_EQ(slips(slips.rows - 1, column), slip);
  EXPECT_THROW(run.read("/wheels/slipp"), Error);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "run" / "summary.json"));
  EXPECT_EQ(World::parse(run.scene_text()).wheels().size(), 6u);
  const State end = State::load(folder_ / "run" / "checkpoint.h5", simulation.world());
  EXPECT_EQ(end, simulation.resumable());
}

// The same bytes in memory and on disk, and the same state out of either.
TEST_F(Recording, OfAStateIsTheSameInMemoryAndInAFile) {
  const World world = rover();
  Simulation simulation(world);
  simulation.set_target(simulation.actuator("rover/front_left_drive"), Target::velocity, 0.3);
  simulation.run_to(0.1);
  const State state = simulation.state();
  const std::vector<std::byte> bytes = state.to_bytes(world);
  EXPECT_EQ(State::from_bytes(bytes, world), state);
  EXPECT_EQ(State::from_bytes(bytes, world).hash(), state.hash());

  state.save(folder_ / "state.h5", world);
  EXPECT_EQ(internal::text_of(folder_ / "state.h5"),
            std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

TEST_F(Recording, IsClosedWithTheSimulation) {
  {
    Simulation simulation(rail());
    simulation.record(folder_ / "run");
    simulation.run_to(0.1);
  }
  EXPECT_TRUE(grouser::Run(folder_ / "run").is_complete());
  EXPECT_THROW(grouser::Run(folder_ / "nothing"), Error);
}

}  // namespace
}  // namespace grouser
