// Watchers in worlds that are read from scenes: where each must ring, where it must not, and when.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sim/simulation.h"
#include "support.h"

namespace grouser::internal {
namespace {

/// Time between two looks [s].
constexpr double kLook = 0.05;

struct Scene {
  std::string ground = "{surface: {size: [8, 6]}, soil: dry_sand, spacing: 0.05}";
  std::string rover = "position: [0, 0, 0.25], on_ground: true";
  std::string contact = "{model: terra, wheels: all}";
  std::string gravity = "mars";
  std::string rest = {};
  double duration = 2;

  std::string text() const {
    return "grouser: 1\ngravity: " + gravity + "\nduration: " + std::to_string(duration) +
           "\nintegrator: {method: moreau_jean, step: 0.005}\nrecord: {rate_hz: 0}\nterrain: " +
           ground + "\nmodels:\n  - {name: rover, rover: four_wheel, " + rover +
           "}\ncontacts:\n  - " + contact + "\n" + rest;
  }
  World world() const { return load_text(text()); }
};

RunReport run(const World& world) {
  Observer nobody;
  return simulate(world, initial_state(world), {.end_time = world.settings.duration}, nobody);
}
RunReport run(const Scene& scene) { return run(scene.world()); }

const Alarm* find(const RunReport& report, AlarmKind kind) {
  for (const Alarm& alarm : report.alarms) {
    if (alarm.kind == kind) return &alarm;
  }
  return nullptr;
}

std::string told(const RunReport& report) {
  std::string text = to_string(report.outcome);
  for (const Alarm& alarm : report.alarms) {
    text += "\n" + std::string(to_string(alarm.kind)) + " " + std::to_string(alarm.time) + ": " +
            alarm.message;
  }
  return text;
}

constexpr const char* kDrive = "commands: [{wheels: all, ground_speed: 0.1}]\n";

TEST(Watch, SeesNothingWhereARoverDrives) {
  const RunReport report = run(Scene{.rest = kDrive, .duration = 4});
  EXPECT_EQ(report.outcome, Outcome::completed) << told(report);
}

// In free flight a body spins evenly about a principal axis: it has turned by ω t.
TEST(Watch, RolledOverAndTiltedRingWhenTheAngleIsPassed) {
  const RunReport report = run(Scene{.rover = "position: [0, 0, 2], angular_velocity: [1, 0, 0]",
                                     .gravity = "[0, 0, -1e-6]"});
  const Alarm* tilted = find(report, AlarmKind::tilted);
  const Alarm* rolled = find(report, AlarmKind::rolled_over);
  ASSERT_TRUE(tilted != nullptr && rolled != nullptr) << told(report);
  EXPECT_GE(tilted->time, std::numbers::pi / 4);
  EXPECT_LE(tilted->time, std::numbers::pi / 4 + kLook);
  EXPECT_GE(rolled->time, std::numbers::pi / 2);
  EXPECT_LE(rolled->time, std::numbers::pi / 2 + kLook);
  EXPECT_EQ(rolled->body, "rover");
  EXPECT_EQ(report.outcome, Outcome::stopped_by_alarm);
  EXPECT_EQ(report.state.time, rolled->time);
}

TEST(Watch, TiltRingsAtItsLimitOnly) {
  const auto tilted_by = [](double degrees) {
    const Scene scene{.rover = "position: [0, 0, 0.8], on_ground: true, rpy_deg: [" +
                               std::to_string(degrees) + ", 0, 0]",
                      .gravity = "[0, 0, -1e-9]",
                      .rest = "watch: {tilt_deg: 30}\n",
                      .duration = 0.1};
    return find(run(scene), AlarmKind::tilted) != nullptr;
  };
  EXPECT_FALSE(tilted_by(29.9));
  EXPECT_TRUE(tilted_by(30.1));
  EXPECT_TRUE(tilted_by(-30.1));
}

TEST(Watch, StopsBeforeTheFirstStepWhereTheRoverBeginsOnItsBack) {
  const World world =
      Scene{.rover = "position: [0, 0, 0.6], on_ground: true, rpy_deg: [180, 0, 0]"}.world();
  Simulation simulation(world);
  EXPECT_EQ(simulation.run_to(1), Outcome::stopped_by_alarm);
  EXPECT_EQ(simulation.time(), 0);
  EXPECT_EQ(simulation.run_to(1), Outcome::completed_with_alarms);  // whoever goes on means it
  EXPECT_EQ(simulation.time(), 1);
}

/// A rover whose chassis reaches 0.05 m lower than its wheels, at a height of its chassis [m].
Scene belly(double height, const char* more = "") {
  std::string wheels, list;
  for (const char* name : {"fl", "fr", "rl", "rr"}) {
    const std::string n(name);
    const std::string place =
        std::string(n[0] == 'f' ? "[0.45, " : "[-0.45, ") + (n[1] == 'l' ? "0.4, 0]" : "-0.4, 0]");
    wheels += ", {name: " + n +
              ", mass: 6, shape: {cylinder: {radius: 0.25, length: 0.2}, rpy_deg: "
              "[90, 0, 0]}, joint: {type: revolute, parent: box, position: " +
              place + ", axis: [0, 1, 0]}}";
    list += (list.empty() ? "{" : ", {") + ("name: " + n) + ", body: " + n + ", drive: " + n +
            ", radius: 0.25, width: 0.2}";
  }
  Scene scene{.duration = 1.5};
  scene.rover = "position: [0, 0, " + std::to_string(height) + "], on_ground: true" + more +
                ", tree: {bodies: [{name: box, mass: 40, shape: {box: [0.8, 0.5, 0.6]}}" + wheels +
                "], chassis: box, wheels: [" + list + "]}";
  return scene;
}

World belly_world(double height, const char* more = "") {
  std::string text = belly(height, more).text();
  text.erase(text.find("rover: four_wheel, "), 19);
  return load_text(text);
}

// It falls from h for √(2h/g).
TEST(Watch, ChassisContactRingsWhenTheBellyComesDown) {
  const double height = 0.3, fall = std::sqrt(2 * height / 3.72076);
  const RunReport report = run(belly_world(0.3 + height));
  const Alarm* alarm = find(report, AlarmKind::chassis_contact);
  ASSERT_NE(alarm, nullptr) << told(report);
  EXPECT_EQ(alarm->body, "rover/box");
  EXPECT_GE(alarm->time, fall - 0.005);
  EXPECT_LE(alarm->time, fall + kLook);
  EXPECT_EQ(find(run(belly_world(6)), AlarmKind::chassis_contact), nullptr);  // falls for 1.7 s
}

TEST(Watch, ChassisIsHeldByTheGroundUnlessToldOtherwise) {
  const auto height = [](const RunReport& report) { return report.state.q[6]; };
  const RunReport held = run(belly_world(0.31));
  EXPECT_NEAR(height(held), 0.3, 1e-3) << told(held);  // measured residual 2e-5, the margin
  const RunReport sunk = run(belly_world(0.31, ", chassis_contact: false"));
  EXPECT_NE(find(sunk, AlarmKind::chassis_contact), nullptr) << told(sunk);  // by its outline
  EXPECT_LT(height(sunk), 0.25);  // on its wheels, in the sand
}

TEST(Watch, ChassisThatGivesWayIsStableAtTheStepsOfWheels) {
  std::string text = belly(0.31).text();
  text.erase(text.find("rover: four_wheel, "), 19);
  text.replace(text.find("moreau_jean, step: 0.005"), 24, "semi_implicit, step: 0.002");
  const RunReport report = run(load_text(text));
  EXPECT_NEAR(report.state.q[6], 0.3, 0.01) << told(report);
  EXPECT_LT(report.state.v.cwiseAbs().maxCoeff(), 0.02);
}

TEST(Watch, ChassisContactChangesNoBitWhereNothingIsNear) {
  for (const char* contact : {"{model: terra, wheels: all}", "{model: bwr, wheels: all}"}) {
    Scene scene{.contact = contact, .rest = kDrive};
    const RunReport with = run(scene);
    scene.rover += ", chassis_contact: false";
    const RunReport without = run(scene);
    EXPECT_EQ(hash(with.state), hash(without.state));
    EXPECT_EQ(with.state.q, without.state.q);
  }
}

TEST(Watch, BodiesThatBeginInTheGroundAreLeftOutWithAWarning) {
  const World world =
      Scene{.rover = "position: [0, 0, 0.02], on_ground: true", .duration = 0.1}.world();
  ASSERT_EQ(world.warnings.size(), 1U);
  EXPECT_NE(world.warnings[0].find("rover/chassis begins 0.0"), std::string::npos)
      << world.warnings[0];
  const RunReport report = run(world);
  EXPECT_NE(find(report, AlarmKind::chassis_contact), nullptr);
  EXPECT_LT(report.state.v.cwiseAbs().maxCoeff(), 5);  // nothing is thrown out
}

TEST(Watch, WheelsAreUnderGroundFromTheirAxlesOn) {
  const auto buried = [](double height) {
    const Scene scene{.rover = "position: [0, 0, " + std::to_string(height) + "], on_ground: true",
                      .gravity = "[0, 0, -1e-9]",
                      .duration = 0.01};
    return find(run(scene), AlarmKind::wheel_under_ground) != nullptr;
  };
  EXPECT_TRUE(buried(-0.01));
  EXPECT_FALSE(buried(0.03));
}

// At 1 m/s without forces; the border is at x = 4, the front hubs are 0.45 m ahead of the chassis.
TEST(Watch, OffMapRingsWhenTheFirstHubPassesTheBorder) {
  const RunReport report =
      run(Scene{.rover = "position: [3, 0, 1], velocity: [1, 0, 0]", .gravity = "[0, 0, -1e-9]"});
  const Alarm* alarm = find(report, AlarmKind::off_map);
  ASSERT_NE(alarm, nullptr);
  EXPECT_NEAR(alarm->time, 0.55, 1e-9 + kLook);
  EXPECT_GE(alarm->time, 0.55 - 1e-9);
  EXPECT_EQ(alarm->body, "rover/front_left_wheel");
  EXPECT_EQ(report.outcome, Outcome::stopped_by_alarm);
}

// A taut rope holds it back from the moment at which it is asked to drive.
TEST(Watch, StuckRingsAfterTheTimeItStates) {
  const std::string rope =
      "tethers: [{name: rope, a: {body: world, position: [-2, 0, 0.25]}, b: {body: "
      "rover/chassis}, stiffness: 1e5, damping: 2000, length: 2}]\n";
  const std::string drive =
      "commands: [{wheels: all, ground_speed: {times: [0, 1], values: [0, 0.1], interpolation: "
      "hold}}]\n";
  const RunReport report = run(Scene{.rest = rope + drive, .duration = 7});
  const Alarm* alarm = find(report, AlarmKind::stuck);
  ASSERT_NE(alarm, nullptr) << told(report);
  EXPECT_GE(alarm->time, 6 - kLook);
  EXPECT_LE(alarm->time, 6 + 0.5);  // until the rope is taut the rover creeps
  EXPECT_NE(alarm->message.find("they spin"), std::string::npos) << alarm->message;
  const RunReport shorter = run(Scene{.rest = rope + drive, .duration = 5.9});
  EXPECT_EQ(find(shorter, AlarmKind::stuck), nullptr);
  const RunReport sooner =
      run(Scene{.rest = rope + drive + "watch: {stuck_time: 2, stuck: stop}\n", .duration = 7});
  EXPECT_EQ(sooner.outcome, Outcome::stopped_by_alarm);
  EXPECT_NEAR(sooner.state.time, 3.2, 0.3);
}

TEST(Watch, SlidingRingsWhereAParkedRoverGoes) {
  const auto slides = [](const char* degrees, const char* height) {
    return run(
        Scene{.ground = std::string("{surface: {size: [20, 6], profile: {points: [[-10, 0], "
                                    "[10, ") +
                        height + "]]}}, soil: dry_sand, spacing: 0.05}",
              .rover = std::string("position: [2, 0, 0.34], on_ground: true, rpy_deg: [0, -") +
                       degrees + ", 0]",
              .duration = 5});
  };
  const RunReport steep = slides("42", "18.01");
  const Alarm* alarm = find(steep, AlarmKind::sliding);
  ASSERT_NE(alarm, nullptr) << told(steep);
  EXPECT_GE(alarm->time, 2 - 1e-9);
  EXPECT_EQ(find(slides("10", "3.53"), AlarmKind::sliding), nullptr);
}

TEST(Watch, TooFastRingsOnSoilAboveItsLimit) {
  const auto fast = [](double speed) {
    const Scene scene{.rover = "position: [0, 0, 0.24], on_ground: true, velocity: [" +
                               std::to_string(speed) + ", 0, 0]",
                      .duration = 0.1};
    return find(run(scene), AlarmKind::too_fast) != nullptr;
  };
  EXPECT_FALSE(fast(0.9));
  EXPECT_TRUE(fast(1.3));
}

/// An arm that a servo holds level: m g l = 2 kg · 10 m/s² · 0.5 m = 10 N m.
std::string arm_scene(double max_effort) {
  return "grouser: 1\ngravity: [0, 0, -10]\nduration: 3\nintegrator: {method: rk4, step: 0.001}\n"
         "models:\n  - name: arm\n    tree:\n      bodies: [{name: link, mass: 2, com: [0.5, 0, "
         "0], "
         "inertia: [0.1, 0.1, 0.1], joint: {type: revolute, parent: world, axis: [0, 1, 0]}}]\n"
         "      actuators: [{joint: link, type: position, kp: 2000, kd: 100, max_effort: " +
         std::to_string(max_effort) + "}]\n";
}

TEST(Watch, ServoRingsAfterTheTimeItStatesAtItsLimit) {
  const RunReport report = run(load_text(arm_scene(9)));
  const Alarm* alarm = find(report, AlarmKind::servo_at_limit);
  ASSERT_NE(alarm, nullptr) << told(report);
  EXPECT_NEAR(alarm->time, 2, 3 * kLook);  // at the limit from the first looks on
  EXPECT_NE(alarm->message.find("of 9 "), std::string::npos) << alarm->message;
  EXPECT_EQ(report.outcome, Outcome::completed_with_alarms);
  EXPECT_EQ(run(load_text(arm_scene(11))).outcome, Outcome::completed);
}

std::string path(const std::string& waypoints, const std::string& more = {}) {
  return "commands: [{path: {waypoints: [" + waypoints + "], speed: 0.2" + more + "}}]\n";
}

TEST(Watch, WaypointThatWasNotReachedIsNamed) {
  const RunReport report = run(Scene{.rest = path("[0.2, 0], [3, 0]"), .duration = 3});
  ASSERT_EQ(report.alarms.size(), 1U) << told(report);
  const Alarm& alarm = report.alarms.front();
  EXPECT_EQ(alarm.kind, AlarmKind::waypoint_not_reached);
  EXPECT_NE(alarm.message.find("waypoint 2 of 2 at (3, 0)"), std::string::npos) << alarm.message;
  EXPECT_EQ(run(Scene{.rest = path("[0.3, 0]"), .duration = 5}).outcome, Outcome::completed);
  const RunReport late = run(Scene{.rest = path("[3, 0]", ", start_time: 60"), .duration = 1});
  ASSERT_EQ(late.alarms.size(), 1U);
  EXPECT_NE(late.alarms[0].message.find("never set out"), std::string::npos);
}

TEST(Watch, WaypointIsNoAlarmWhileTheSceneGoesOn) {
  const World world = Scene{.rest = path("[3, 0]"), .duration = 20}.world();
  Simulation simulation(world);
  EXPECT_EQ(simulation.run_to(1), Outcome::completed);
  EXPECT_TRUE(simulation.report().alarms.empty());
}

TEST(Watch, CrabNeedsSteering) {
  const RunReport report = run(Scene{.rest = path("[0.1, 0.1]", ", mode: crab"), .duration = 0.1});
  const Alarm* alarm = find(report, AlarmKind::crab_without_steering);
  ASSERT_NE(alarm, nullptr);
  EXPECT_EQ(alarm->time, 0);
  EXPECT_NE(alarm->message.find("4 of its 4 wheels"), std::string::npos) << alarm->message;
}

// The time of a parked rover goes on in leaps: no timer may take one for time in which it was stuck.
TEST(Watch, ParkedTimeCountsForNoTimer) {
  const std::string mission =
      "mission: {activities: [{do: wait, duration: 120}, {do: drive, waypoints: [[0.4, 0]], speed: "
      "0.1}]}\n";
  const RunReport report = run(Scene{.rest = mission, .duration = 160});
  EXPECT_EQ(report.outcome, Outcome::completed) << told(report);
}

TEST(Watch, MissionsOfRoversThatCannotCrabAreRefused) {
  const std::string mission =
      "mission: {activities: [{do: drive, mode: crab, waypoints: [[0.2, 0]], speed: 0.1}]}\n";
  try {
    run(Scene{.rest = mission, .duration = 3});
    ADD_FAILURE() << "was taken";
  } catch (const Error& error) {
    ASSERT_EQ(error.issues().size(), 4u);  // one per wheel
    EXPECT_NE(error.issues().front().message.find("cannot be steered"), std::string::npos);
  }
}

TEST(Watch, ActionsAreAsTheSceneSays) {
  const std::string fast = "position: [0, 0, 0.24], on_ground: true, velocity: [2, 0, 0]";
  const auto outcome = [&](const char* action) {
    return run(Scene{.rover = fast,
                     .rest = std::string("watch: {sliding: off, too_fast: ") + action + "}\n",
                     .duration = 0.2})
        .outcome;
  };
  EXPECT_EQ(outcome("off"), Outcome::completed);
  EXPECT_EQ(outcome("warn"), Outcome::completed_with_alarms);
  EXPECT_EQ(outcome("stop"), Outcome::stopped_by_alarm);
}

/// Several alarms, some of them by timers that run across the cut.
Scene troubled_scene() {
  return {.rest =
              "tethers: [{name: rope, a: {body: world, position: [-2, 0, 0.25]}, b: {body: "
              "rover/chassis}, stiffness: 1e5, damping: 2000, length: 2}]\n"
              "watch: {stuck_time: 1.5, max_soil_speed: 0.05}\n" +
              path("[2, 0]"),
          .duration = 3};
}

bool same(const std::vector<Alarm>& a, const std::vector<Alarm>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].kind != b[i].kind || a[i].body != b[i].body || a[i].time != b[i].time ||
        a[i].last_time != b[i].last_time || a[i].duration != b[i].duration ||
        a[i].message != b[i].message) {
      return false;
    }
  }
  return true;
}

TEST(Watch, RunInPartsRingsTheAlarmsOfAWholeOne) {
  const World world = troubled_scene().world();
  const RunReport whole = run(world);
  EXPECT_GE(whole.alarms.size(), 3U) << told(whole);
  for (const double cut : {0.02, 0.5, 1.033, 2.6}) {
    Observer nobody;
    const RunReport first = simulate(world, initial_state(world), {.end_time = cut}, nobody);
    const RunReport second = simulate(world, first.resumable, {.end_time = 3}, nobody);
    EXPECT_TRUE(same(whole.alarms, second.alarms)) << cut << "\n" << told(second);
    EXPECT_TRUE(second.state == whole.state);
    EXPECT_EQ(second.outcome, whole.outcome);
  }
}

TEST(Watch, NeitherRecordNorObserverChangesAlarms) {
  World world = troubled_scene().world();
  const RunReport quiet = run(world);
  world.settings.record_rate_hz = 333;
  world.settings.checkpoint_interval = 0.7;
  EXPECT_TRUE(same(quiet.alarms, run(world).alarms));
}

TEST(Watch, AlarmsAreToldOnceAsSoonAsTheyAreKnown) {
  struct Ear : Observer {
    std::vector<Alarm> alarms;
    std::vector<double> heard_at;
    double now = 0;
    void on_step(double time, long) override { now = time; }
    void on_alarm(const Alarm& alarm) override {
      alarms.push_back(alarm);
      heard_at.push_back(now);
    }
  } ear;
  const World world = troubled_scene().world();
  const RunReport report = simulate(world, initial_state(world), {.end_time = 3}, ear);
  ASSERT_EQ(ear.alarms.size(), report.alarms.size());
  for (std::size_t i = 0; i < ear.alarms.size(); ++i) {
    EXPECT_EQ(ear.alarms[i].kind, report.alarms[i].kind);
    EXPECT_NEAR(ear.heard_at[i], ear.alarms[i].time, 0.011);
  }
}

TEST(Watch, AdaptiveMethodsAreWatchedAtTheirSteps) {
  std::string text = arm_scene(9);
  text.replace(text.find("rk4, step: 0.001"), 16, "bdf, max_step: 0.01");
  const RunReport report = run(load_text(text));
  const Alarm* alarm = find(report, AlarmKind::servo_at_limit);
  ASSERT_NE(alarm, nullptr) << told(report);
  EXPECT_NEAR(alarm->time, 2, 0.2);
}

TEST(Watch, RefusesWhatItDoesNotKnow) {
  const auto issues =
      issues_of(Scene{.rest = "watch: {stuck: maybe, rolled: warn, stuck_time: -1}\n"}.text());
  EXPECT_EQ(issues.size(), 3U);
}

}  // namespace
}  // namespace grouser::internal
