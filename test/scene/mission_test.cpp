// Missions and electrical power in scenes: what goes wrong is said; short missions on TerRA do what they should.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "math/angle.h"
#include "sim/evaluate.h"
#include "sim/mission_memory.h"
#include "sim/simulation.h"
#include "support.h"

namespace grouser::internal {
namespace {

using testing::HasSubstr;

const char* const kPower =
    "    power:\n"
    "      battery: {capacity_Wh: 100}\n"
    "      solar: {area: 0.5}\n"
    "      loads: [{power: 5}, {name: clock, power: 1, asleep: true}]\n"
    "      motors:\n"
    "        - {on: drives, stall_torque: 0.06, no_load_speed: 900, gear_ratio: 250, friction: "
    "0.002}\n";

/// The rover on flat sand, with a mission.
std::string rover_scene(const std::string& activities, const std::string& power = kPower,
                        const std::string& rest = {}) {
  return "grouser: 1\ngravity: mars\nduration: 600\n"
         "integrator: {method: semi_implicit, step: 0.002}\nrecord: {rate_hz: 0}\n"
         "terrain: {surface: {size: [20, 20]}, spacing: 0.1, soil: dry_sand}\n"
         "models:\n  - name: rover\n    rover: exomars\n    position: [0, 0, 0.57]\n"
         "    on_ground: true\n" +
         power + "contacts: [{model: terra, wheels: all}]\n" + rest + "mission:\n  activities:\n" +
         activities;
}

std::string first_issue(const std::string& text) {
  const std::vector<Issue> issues = issues_of(text);
  return issues.empty() ? "" : to_string(issues.front());
}

std::string first_issue_of(const std::string& activity) {
  return first_issue(rover_scene("    - " + activity + "\n"));
}

TEST(MissionScene, SaysWhatIsWrong) {
  EXPECT_THAT(first_issue_of("{do: dive}"), HasSubstr("did you mean 'drive'"));
  EXPECT_THAT(first_issue_of("{do: drive}"), HasSubstr("waypoints"));
  EXPECT_THAT(first_issue_of("{do: drive, waypoints: []}"), HasSubstr("at least one point"));
  EXPECT_THAT(first_issue_of("{do: wait}"), HasSubstr("until_hour"));
  EXPECT_THAT(first_issue_of("{do: wait, duration: 5, until_hour: 3}"), HasSubstr("until_hour"));
  EXPECT_THAT(first_issue_of("{do: wait, duration: 5, speed: 1}"),
              HasSubstr("no effect on the activity 'wait'"));
  EXPECT_THAT(first_issue_of("{do: wait, until_hour: 25}"), HasSubstr("<= 24"));
  EXPECT_THAT(first_issue_of("{do: joints, moves: [{joint: elbow, position: 1}]}"),
              HasSubstr("unknown joint 'elbow'"));
  EXPECT_THAT(first_issue_of("{do: joints, moves: [{joint: front_left_steer, position: 1}]}"),
              HasSubstr("belongs to a wheel"));
  EXPECT_THAT(first_issue_of("{do: drive, waypoints: [[1, 0]], stop_for: 3}"),
              HasSubstr("goes with 'go_for'"));
  EXPECT_THAT(first_issue(rover_scene("    - {do: payload, power: 3, duration: 5}\n", "")),
              HasSubstr("needs the 'power' of a model"));
  EXPECT_THAT(first_issue(rover_scene("    - {do: drive, waypoints: [[1, 0]]}\n", kPower,
                                      "commands: [{wheels: all, speed: 1}]\n")),
              HasSubstr("by the mission and by a command"));
}

std::string first_issue_of_power(const std::string& power) {
  return first_issue(rover_scene("    - {do: wait, duration: 5}\n", "    power: " + power + "\n"));
}

TEST(MissionScene, SaysWhatIsWrongWithPower) {
  EXPECT_THAT(first_issue_of_power("{battery: {capacity_Wh: 0}}"), HasSubstr("> 0"));
  EXPECT_THAT(first_issue_of_power("{solar: {area: 1}}"), HasSubstr("battery"));
  EXPECT_THAT(first_issue_of_power("{battery: {capacity_Wh: 9, voltage: [[0, 5], [0.5, 6]]}}"),
              HasSubstr("rise from 0 to 1"));
  const std::string motor = "{battery: {capacity_Wh: 9}, motors: [{";
  EXPECT_THAT(first_issue_of_power(motor + "on: wings, stall_torque: 1, no_load_speed: 1}]}"),
              HasSubstr("unknown actuator 'wings'"));
  EXPECT_THAT(first_issue_of_power(motor + "stall_torque: 1, no_load_speed: 1, friction: 2}]}"),
              HasSubstr("could not turn"));
  EXPECT_THAT(first_issue_of_power(motor + "stall_torque: 1, torque_constant: 1}]}"),
              HasSubstr("resistance"));
  EXPECT_THAT(first_issue("grouser: 1\nday: {latitude_deg: 100}\nmodels: []\n"),
              HasSubstr("latitude_deg"));
}

TEST(MissionScene, MotorsLimitTheirActuators) {
  const World world = load_text(rover_scene("    - {do: wait, duration: 5}\n"));
  ASSERT_TRUE(world.power);
  EXPECT_EQ(world.power->actuators.size(), 6U);
  const Actuator& drive =
      world.model.actuators()[static_cast<std::size_t>(world.power->actuators.front())];
  EXPECT_NEAR(drive.stall_effort, 0.058 * 250 * 0.8, 1e-9);
  EXPECT_NEAR(drive.no_load_speed, 900 / 250.0 * 58 / 60, 1e-9);
  EXPECT_EQ(drive.max_effort, 10);
}

// Asked for 1 m/s, the wheels get no faster than the line of torque over speed allows, by either family of steppers.
TEST(MissionScene, WeakMotorsAreSlow) {
  for (const std::string method : {"semi_implicit", "moreau_jean"}) {
    std::string text = rover_scene("    - {do: wait, duration: 5}\n", kPower,
                                   "commands: [{wheels: all, ground_speed: 1}]\n");
    text.replace(text.find("semi_implicit"), 13, method);
    const World world = load_text(text);
    Simulation simulation(world);
    simulation.run_to(8);
    for (const int index : world.power->actuators) {
      const Actuator& drive = world.model.actuators()[static_cast<std::size_t>(index)];
      const double rate = simulation.state().v[drive.dof];
      const double torque = simulation.sample().actuator_effort[index];
      EXPECT_LT(rate, drive.no_load_speed) << method;
      EXPECT_GT(rate, 0.5 * drive.no_load_speed) << method;
      EXPECT_NEAR(torque, drive.stall_effort * (1 - rate / drive.no_load_speed), 0.05) << method;
    }
  }
}

RunReport run_until(const World& world, double end) {
  Simulation simulation(world);
  simulation.run_to(end);
  return simulation.report();
}

TEST(Mission, DrivesWaitsAndTellsOfIt) {
  const World world =
      load_text(rover_scene("    - {do: drive, waypoints: [[1, 0]], speed: 0.1, goal_within: 0.1}\n"
                            "    - {do: payload, name: camera, power: 10, duration: 100}\n"
                            "    - {do: night, duration: 200}\n"));
  const RunReport report = run_until(world, 400);
  ASSERT_EQ(report.mission.size(), 3U);
  const ActivityReport &drive = report.mission[0], &camera = report.mission[1],
                       &night = report.mission[2];
  EXPECT_EQ(drive.verdict, Verdict::succeeded) << verdict_text(drive);
  EXPECT_NEAR(drive.planned, 1, 0.02);
  EXPECT_NEAR(drive.driven, 1, 0.1);
  EXPECT_LT(drive.goal_error, 0.1);
  EXPECT_GT(drive.energy, 10);  // [J]
  EXPECT_EQ(camera.verdict, Verdict::succeeded);
  EXPECT_NEAR(camera.ended - camera.began, 100, 0.01);
  EXPECT_NEAR(camera.energy, 1600, 20);  // 10 + 5 + 1 W; motors hold until it is parked: 1607
  EXPECT_GT(camera.parked, 70);
  EXPECT_EQ(night.verdict, Verdict::succeeded);
  EXPECT_NEAR(night.energy, 200, 1);
  EXPECT_NEAR(night.parked, 200, 0.1);  // it was parked already
  ASSERT_TRUE(report.power);
  EXPECT_LT(report.power->balance_error(), 1e-9);  // measured 1e-14
  EXPECT_LT(report.steps, 20000);                  // most of the time took none
}

TEST(Mission, ParkedStateIsThatBefore) {
  const World world = load_text(rover_scene("    - {do: wait, duration: 1000}\n"));
  Simulation simulation(world);
  simulation.run_to(5);
  ASSERT_TRUE(is_parked(world, simulation.state()));
  const State before = simulation.state();
  const std::vector<WheelSample> wheels = simulation.sample().wheels;
  simulation.run_to(500);
  EXPECT_EQ(before.q, simulation.state().q);
  for (std::size_t w = 0; w < wheels.size(); ++w) {
    EXPECT_EQ(wheels[w].normal, simulation.sample().wheels[w].normal);
    EXPECT_EQ(wheels[w].sinkage, simulation.sample().wheels[w].sinkage);
  }
  EXPECT_EQ(simulation.state().v.norm(), 0);
  EXPECT_GT(power_state(world, simulation.state()).loads, power_state(world, before).loads);
}

// Soil that remembers when it was last looked at must not take a night for one step.
TEST(Mission, NightsDoNotSinkIt) {
  const World world =
      load_text(rover_scene("    - {do: night, duration: 20000}\n"
                            "    - {do: drive, waypoints: [[2, 0]], speed: 0.1}\n"));
  Simulation simulation(world);
  simulation.run_to(15);
  ASSERT_TRUE(is_parked(world, simulation.state()));
  const double before = simulation.sample().wheels[0].sinkage;
  for (double time = 20000.1; time < 20003; time += 0.1) {
    simulation.run_to(time);
    EXPECT_NEAR(simulation.sample().wheels[0].sinkage, before, 0.01) << time;
  }
}

TEST(Mission, WakesWhenItIsToldSomething) {
  const World world = load_text(rover_scene("    - {do: wait, duration: 1000}\n"));
  Simulation simulation(world);
  simulation.run_to(120);
  ASSERT_TRUE(is_parked(world, simulation.state()));
  const double x = simulation.state().q[4];
  for (const Wheel& wheel : world.rovers[0].wheels) {
    const int actuator = actuator_of_dof(world.model, wheel.drive_dof);
    simulation.set_target({actuator}, TargetQuantity::velocity, 0.5);
  }
  simulation.run_to(130);
  EXPECT_FALSE(is_parked(world, simulation.state()));
  EXPECT_GT(std::abs(simulation.state().q[4] - x), 0.3);
}

/// An arm on a deck that stands.
std::string arm_scene(const std::string& shoulder) {
  return R"(
grouser: 1
duration: 60
record: {rate_hz: 0}
models:
  - name: lander
    base: fixed
    chassis: deck
    tree:
      bodies:
        - {name: deck, mass: 10, shape: {box: [0.4, 0.4, 0.2]}}
        - name: upper
          mass: 1
          shape: {box: [0.05, 0.05, 0.4], position: [0, 0, 0.2]}
          joint: {name: shoulder, type: revolute, parent: deck, position: [0, 0, 0.1], axis: [0, 1, 0]}
        - name: lower
          mass: 0.5
          shape: {box: [0.04, 0.04, 0.3], position: [0, 0, 0.15]}
          joint: {name: elbow, type: revolute, parent: upper, position: [0, 0, 0.4], axis: [0, 1, 0]}
      actuators:
        - {joint: shoulder, type: position, kp: 500, kd: 50)" +
         shoulder + R"(}
        - {joint: elbow, type: prescribed}
mission:
  activities:
    - do: joints
      moves:
        - {joint: shoulder, position_deg: 45, duration: 4}
        - {joint: elbow, position: 1, duration: 2, together: true}
        - {joint: shoulder, position: 0, duration: 3}
    - {do: wait, duration: 40}
)";
}

TEST(Mission, MovesJointsInTurnAndTogether) {
  const World world = load_text(arm_scene(""));
  Simulation simulation(world);
  simulation.run_to(2.2);
  EXPECT_NEAR(simulation.state().q[1], 1, 1e-3);  // of prescribed motion
  simulation.run_to(4);
  EXPECT_NEAR(simulation.state().q[0], 45 * kDegree, 0.03);  // the servo gives way by 0.02
  simulation.run_to(30);
  const RunReport report = simulation.report();
  EXPECT_EQ(report.mission[0].verdict, Verdict::succeeded);
  EXPECT_NEAR(report.mission[0].ended, 7.5, 0.25);
  EXPECT_LT(report.mission[0].goal_error, 0.05);
  EXPECT_TRUE(is_parked(world, simulation.state()));
}

TEST(Mission, SaysThatAJointDoesNotGetThere) {
  const RunReport report = run_until(load_text(arm_scene(", max_effort: 0.5")), 12);
  EXPECT_EQ(report.mission[0].reason, AbortReason::goal);
  EXPECT_THAT(verdict_text(report.mission[0]), HasSubstr("a joint is off by"));
  EXPECT_EQ(report.mission[1].verdict, Verdict::not_started);
}

TEST(Mission, AbortsAndStopsOrGoesOn) {
  const std::string far = "{do: drive, waypoints: [[5, 0]], speed: 0.1, time_max: 10";
  const World stops = load_text(rover_scene("    - " + far + "}\n    - {do: wait, duration: 5}\n"));
  const RunReport stopped = run_until(stops, 40);
  EXPECT_EQ(stopped.mission[0].verdict, Verdict::aborted);
  EXPECT_EQ(stopped.mission[0].reason, AbortReason::time);
  EXPECT_EQ(stopped.mission[1].verdict, Verdict::not_started);
  EXPECT_FALSE(stopped.warnings.empty());
  const World goes =
      load_text(rover_scene("    - " + far + ", on_abort: next}\n    - {do: wait, duration: 5}\n"));
  EXPECT_EQ(run_until(goes, 40).mission[1].verdict, Verdict::succeeded);
  const World dear = load_text(
      rover_scene("    - {do: drive, waypoints: [[5, 0]], speed: 0.1, energy_max_Wh: 0.05}\n"));
  EXPECT_EQ(run_until(dear, 60).mission[0].reason, AbortReason::energy);
  const World empty =
      load_text(rover_scene("    - {do: drive, waypoints: [[5, 0]]}\n",
                            "    power: {battery: {capacity_Wh: 100, start_charge: 0.1}}\n"));
  EXPECT_EQ(run_until(empty, 1).mission[0].reason, AbortReason::battery);
}

TEST(Mission, StopsAndGoes) {
  const World world = load_text(
      rover_scene("    - {do: drive, waypoints: [[1, 0]], speed: 0.1, go_for: 4, stop_for: 6}\n"));
  const RunReport report = run_until(world, 60);
  EXPECT_EQ(report.mission[0].verdict, Verdict::succeeded);
  EXPECT_GT(report.mission[0].ended, 20);  // without stops: some 11 s
}

// Wherever a run is split, both ends are the same to the bit: in a drive, while it comes to rest, parked between two
// looks, at the end of an activity.
TEST(Mission, ResumesToTheBit) {
  const World world =
      load_text(rover_scene("    - {do: drive, waypoints: [[0.5, 0]], speed: 0.1}\n"
                            "    - {do: wait, duration: 200}\n"
                            "    - {do: drive, waypoints: [[1, 0]], speed: 0.1}\n"
                            "    - {do: night, duration: 300}\n"));
  const double end = 240.5;
  Simulation whole(world);
  whole.run_to(end);
  for (const double split : {3.0, 3.0013, 7.11, 9.0, 77.7, 120.0, 205.0, 207.77, 230.0}) {
    Simulation first(world);
    first.run_to(split);
    Simulation second(world, first.resumable());
    second.run_to(end);
    EXPECT_TRUE(second.state() == whole.state()) << split;
  }
}

// A whole day: every activity succeeds, the books balance, and next to nothing of it is stepped.
TEST(Mission, SolOfTheBuiltInScene) {
  const World world = load_builtin_scene("sol");
  const RunReport report = run_until(world, world.settings.duration);
  for (const ActivityReport& activity : report.mission) {
    EXPECT_EQ(activity.verdict, Verdict::succeeded) << activity.name << verdict_text(activity);
  }
  EXPECT_TRUE(report.warnings.empty());
  EXPECT_LT(report.power->balance_error(), 1e-6);  // measured 1.1e-13
  EXPECT_GT(report.power->solar, 400 * 3600);
  EXPECT_LT(static_cast<double>(report.steps) * world.settings.integrator.step, 700);  // 609 s
}

}  // namespace
}  // namespace grouser::internal
