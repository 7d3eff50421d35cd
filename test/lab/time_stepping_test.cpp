// Rigid contacts, stops, dry friction, servos and soft soil in one step of time stepping.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "contact/bbcc/bbcc_system.h"
#include "core/error.h"
#include "core/parallel.h"
#include "expect_passes.h"
#include "lab/nonsmooth_reproductions.h"
#include "lab/scene_parts.h"
#include "record/checkpoint.h"
#include "scene/load_scene.h"
#include "sim/simulate.h"
#include "support/temporary_folder.h"

namespace grouser::internal {
namespace {

RunReport run_stepped(const World& world, double end) {
  Observer nobody;
  return simulate(world, initial_state(world), {.end_time = end}, nobody);
}

/// One arm of 1 kg m² about y, on nothing but its joint, which may have more keys, as may the scene.
World arm(const Map& joint, const Map& more = {}, const char* gravity = "zero") {
  const Map base{{"name", "base"}, {"mass", 1}, {"inertia", List{1, 1, 1}}};
  const Map arm{{"name", "arm"},
                {"mass", 1},
                {"inertia", List{1, 1, 1}},
                {"joint", merged(hinge("hinge", "base", {0, 0, 0}), joint)}};
  const Map scene{
      {"gravity", gravity},
      {"integrator", fixed_step("moreau_jean", 0.002)},
      {"models",
       List{Map{{"name", "m"}, {"base", "fixed"}, {"tree", Map{{"bodies", List{base, arm}}}}}}}};
  return load_scene_values(merged(scene, more), "f", ".");
}

/// Its motor, and what it is told.
Map driven_by(Map actuator, const char* quantity, double value) {
  return {{"actuators", List{merged({{"joint", "m/hinge"}}, actuator)}},
          {"commands", List{Map{{"joint", "m/hinge"}, {quantity, value}}}}};
}

// A tower of ten cubes: the top stays where it stood.
TEST(TimeStepping, TowerOfTenCubesStands) {
  List models{slab("slab", 9, 9, 2)}, bodies{"slab/slab"};
  for (int i = 0; i < 10; ++i) {
    const std::string name = fmt::format("c{}", i);
    models.push_back(
        model_of(name, {0, 0, 0.1 + 0.2 * i}, body_of("cube", 1, box_shape(0.2, 0.2, 0.2))));
    bodies.push_back(name + "/cube");
  }
  const Map scene{
      {"gravity", List{0, 0, -9.81}},
      {"integrator", fixed_step("moreau_jean", 0.005)},
      {"models", models},
      {"contacts", List{body_contacts(bodies, {{"friction", 0.5}, {"restitution", 0}})}}};
  const World world = load_scene_values(scene, "f", ".");
  const Vec3 early = run_stepped(world, 0.5).state.q.tail(3);
  const RunReport report = run_stepped(world, 2);
  const Vec3 top = report.state.q.tail(3);
  EXPECT_LT(top.head<2>().norm(), 5e-8);        // 2.9e-8, from being pushed apart as they land
  EXPECT_LT((top - early).norm(), 1e-13);       // and then no more: measured 3e-15
  EXPECT_NEAR(top.z(), 1.9 - 10 * 2e-5, 1e-8);  // ten gaps, each closed by the margin
  EXPECT_LT(report.state.v.cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_EQ(report.impulses->unsolved, 0);
}

// A stop is hard: the arm, turning at 1 rad/s, is at rest after one step and stays there.
TEST(TimeStepping, EndStopsAreHard) {
  for (const double sign : {1.0, -1.0}) {
    World world = arm({{"lower_deg", -10}, {"upper_deg", 10}});
    world.initial.v[0] = sign;
    const RunReport report = run_stepped(world, 1);
    EXPECT_NEAR(report.state.q[0], sign * 10 * 0.017453292519943295, 1e-9);
    EXPECT_NEAR(report.state.v[0], 0, 1e-12);
  }
}

// 0.5 N m of dry friction stop 1 rad/s in 2 s and hold 0.4 N m for ever.
TEST(TimeStepping, DryFrictionStopsAndHolds) {
  const Map friction{{"friction", 0.5}};
  World world = arm(friction);
  world.initial.v[0] = 1;
  EXPECT_NEAR(run_stepped(world, 1).state.v[0], 0.5, 1e-12);
  EXPECT_EQ(run_stepped(world, 3).state.v[0], 0);
  const World held = arm(friction, driven_by({{"type", "torque"}}, "effort", 0.4));
  EXPECT_NEAR(run_stepped(held, 10).state.v[0], 0, 1e-14);
}

// A servo of any gain does not ring, and its limit holds: 2 N m turn 1 kg m² up to 1 rad/s in half a second.
TEST(TimeStepping, ServoIsLimited) {
  const World world =
      arm({}, driven_by({{"type", "velocity"}, {"kd", 1e6}, {"max_effort", 2}}, "velocity", 1));
  EXPECT_NEAR(run_stepped(world, 0.25).state.v[0], 0.5, 1e-9);
  EXPECT_NEAR(run_stepped(world, 0.6).state.v[0], 1, 1e-9);
}

// A servo at rest that its limit cannot hold within the step: a spring of 3 N m/rad, turned by a radian, leaves 1 N m
// over a servo of 2 N m, and one of 1.5 N m/rad none.
TEST(TimeStepping, ServoGivesWayBeyondItsLimit) {
  const auto rate_after = [&](double spring, double kd, double time) {
    const Map servo{{"joint", "m/hinge"}, {"type", "velocity"}, {"kd", kd}, {"max_effort", 2}};
    World world = arm({{"stiffness", spring}}, {{"actuators", List{servo}}});
    world.initial.q[0] = 1;
    return run_stepped(world, time).state.v[0];
  };
  EXPECT_NEAR(rate_after(3, 1e4, 0.01), -0.01, 1e-6);  // the spring slackens by 5e-7
  // Slowest root of x'' + 100 x' + 1.5 x = 0, from x = 1.
  EXPECT_NEAR(rate_after(1.5, 100, 0.2), -0.0150023 * std::exp(-0.0030005), 1e-5);
}

// A motor that does as told turns an arm whose tip is held by a rod: the run says that the loop is torn.
TEST(TimeStepping, TornLoopIsNoticed) {
  const Map rod{{"name", "rod"},
                {"type", "distance"},
                {"a", Map{{"body", "m/arm"}, {"position", List{1, 0, 0}}}},
                {"b", Map{{"body", "m/base"}, {"position", List{2, 0, 0}}}},
                {"length", 1}};
  const Map motor = driven_by({{"type", "prescribed"}}, "velocity", 0.1);
  const World world = arm({}, merged(motor, {{"loops", List{rod}}}));
  try {
    run_stepped(world, 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::diverged);
    EXPECT_NE(std::string(error.what()).find("loops cannot be kept closed"), std::string::npos);
  }
}

// Nothing acts on a balanced arm: it turns on for ever.
TEST(TimeStepping, FreeMotionGoesOn) {
  World world = arm({}, {}, "earth");
  world.initial.v[0] = 2;
  EXPECT_NEAR(run_stepped(world, 20).state.v[0], 2, 1e-9);
}

const char* kRoverOnSandAndRock = R"(grouser: 1
gravity: mars
integrator: {method: moreau_jean, step: 0.002}
terrain: {surface: {size: [4, 3], noise: {}}, spacing: 0.02, soil: dry_sand}
models:
  - {name: rover, rover: exomars, on_ground: true, position: [-0.6, 0, 0.57]}
  - {name: slab, base: fixed, position: [0.75, 0, -0.02], tree: {bodies: [{name: slab, mass: 10, shape: {box: [0.8, 2, 0.1]}}]}}
  - {name: stone, position: [0.6, 0.6, 0.055], tree: {bodies: [{name: stone, mass: 2, shape: {box: [0.05, 0.05, 0.05]}}]}}
contacts:
  - {model: scm, wheels: all}
  - model: bbcc
    wheels: all
    group: rover
    material: {friction: 0.6, restitution: 0, rolling_friction: 0.002, spinning_friction: 0.001}
  - {model: bbcc, bodies: [slab/slab, stone/stone], material: {friction: 0.6, restitution: 0}}
commands: [{wheels: all, ground_speed: 0.1}]
)";

// Half on sand, half on rock: wheels climb the slab, nothing sinks into it, the sand carries the rest.
TEST(TimeStepping, RoverDrivesFromSandOntoRock) {
  const World world = load_scene_text(kRoverOnSandAndRock, "f", ".");
  const RunReport report = run_stepped(world, 5);
  EXPECT_GT(report.distance, 0.2);
  EXPECT_LT(report.impulses->worst_overlap, 1e-4);
  EXPECT_EQ(report.contacts.soil->volume_error, 0);
  double load = 0;
  for (const WheelStatistics& wheel : report.wheels) load += wheel.normal_mean;
  EXPECT_NEAR(load, 64.6 * 3.72076, 0.03 * 64.6 * 3.72076);
}

/// Sum of the torques of all wheels, at the last sample [N m].
class WheelTorques : public Observer {
 public:
  void on_sample(const Sample& sample) override {
    sum = 0;
    for (const WheelSample& wheel : sample.wheels) sum += wheel.torque;
  }
  double sum = 0;
};

// At steady speed on level rock motors give what rolling takes, whatever wheels do to each other: ρ times the weight.
TEST(TimeStepping, MotorsOvercomeRollingFriction) {
  const World world = load_scene_text(R"(grouser: 1
gravity: mars
integrator: {method: moreau_jean, step: 0.005}
models:
  - {name: floor, base: fixed, tree: {bodies: [{name: floor, mass: 1, shape: {box: [20, 4, 2], position: [0, 0, -1]}}]}}
  - {name: rover, rover: exomars, position: [0, 0, 0.6]}
contacts:
  - {model: bbcc, bodies: [floor], material: {restitution: 0, rolling_friction: 0.002}}
  - {model: bbcc, wheels: all, group: rover, material: {restitution: 0, rolling_friction: 0.003}}
commands: [{wheels: all, ground_speed: 0.1}]
)",
                                      "f", ".");
  WheelTorques torques;
  const RunReport report = simulate(world, initial_state(world), {.end_time = 4}, torques);
  EXPECT_EQ(report.impulses->unsolved, 0);
  const double expected = 0.005 * 64.6 * 3.72076;
  // Measured 1.0006: wheels that do not point quite the same way also slide a little across.
  EXPECT_NEAR(torques.sum / expected, 1, 2e-3);
}

// On a plank that lies free, a ball rolls on as on the ground: it is pressed below its middle at any time.
TEST(TimeStepping, BallRollsOnAFreePlank) {
  const World world = load_scene_text(R"(grouser: 1
integrator: {method: moreau_jean, step: 0.005}
models:
  - {name: ground, base: fixed, tree: {bodies: [{name: ground, mass: 1, shape: {box: [100, 40, 2], position: [0, 0, -3]}}]}}
  - {name: plank, tree: {bodies: [{name: plank, mass: 1e5, shape: {box: [50, 40, 2], position: [0, 0, -1]}}]}}
  - name: ball
    position: [0, 0, 0.5]
    velocity: [1, 0, 0]
    angular_velocity: [0, 2, 0]
    tree: {bodies: [{name: ball, mass: 1, shape: {sphere: {radius: 0.5}}}]}
contacts: [{model: bbcc, bodies: [ground, plank, ball], material: {restitution: 0}}]
)",
                                      "f", ".");
  EXPECT_NEAR(run_stepped(world, 10).state.v.tail<3>().x(), 1, 1e-12);
}

class TimeSteppingBits : public TemporaryFolderTest {};

TEST_F(TimeSteppingBits, AreTheSameInPartsAndOnAnyThreads) {
  const World world = load_scene_text(kRoverOnSandAndRock, "f", ".");
  Observer nobody;
  const RunReport whole = run_stepped(world, 0.4);
  const RunReport first = run_stepped(world, 0.25);
  EXPECT_FALSE(find_memory<BbccSystem>(world, first.resumable)->points.empty());
  save_checkpoint(folder_ / "c.h5", world, first.resumable);
  const State loaded = load_checkpoint(folder_ / "c.h5", world);
  EXPECT_TRUE(loaded == first.resumable);
  EXPECT_TRUE(simulate(world, loaded, {.end_time = 0.4}, nobody).state == whole.state);
  for (const int threads : {1, 5}) {
    set_thread_count(threads);
    EXPECT_TRUE(run_stepped(world, 0.4).state == whole.state) << threads;
  }
  set_thread_count(0);
}

TEST(NonsmoothReproductions, BlockSticksOrSlides) { expect_passes("nonsmooth/block"); }
TEST(NonsmoothReproductions, SphereBounces) { expect_passes("nonsmooth/bounce"); }
TEST(NonsmoothReproductions, BallRollsOutAndSpinsDown) { expect_passes("nonsmooth/turning"); }
TEST(NonsmoothReproductions, RoverOnASlope) { expect_passes("nonsmooth/slope"); }
TEST(NonsmoothReproductions, RoverIsHeld) { expect_passes("nonsmooth/hold"); }
TEST(LongNonsmoothReproductions, RoverIsParked) { expect_passes("nonsmooth/park"); }
TEST(LongNonsmoothReproductions, RoverOnBedrock) { expect_passes("nonsmooth/bedrock"); }
TEST(LongNonsmoothReproductions, CubesFallOnAHeap) { expect_passes("nonsmooth/pile"); }
TEST(LongNonsmoothReproductions, RoverAtAStep) { expect_passes("nonsmooth/step"); }

}  // namespace
}  // namespace grouser::internal
