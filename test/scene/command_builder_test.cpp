#include "scene/command_builder.h"

#include <gtest/gtest.h>

#include <numbers>

#include "support.h"

namespace grouser::internal {
namespace {

constexpr double kRadPerDeg = std::numbers::pi / 180;

const char* const kSlider =
    "      bodies:\n"
    "        - {name: a, mass: 1, inertia: [1, 1, 1], joint: {name: turn, type: revolute,\n"
    "           parent: world, axis: [0, 1, 0]}}\n"
    "        - {name: b, mass: 1, inertia: [1, 1, 1], joint: {name: slide, type: prismatic,\n"
    "           parent: a, axis: [1, 0, 0]}}\n"
    "        - {name: c, mass: 1, inertia: [1, 1, 1], joint: {name: cardan, type: universal,\n"
    "           parent: b, axis: [1, 0, 0], axis2: [0, 1, 0]}}\n";

double value(const JointCommand& command, double time) {
  return evaluate(command.signal, time).value;
}

const Actuator& actuator(const World& world, const JointCommand& command) {
  return world.model.actuators()[static_cast<std::size_t>(command.actuator)];
}

TEST(Commands, ReadAllKindsOfSignals) {
  const World world = load_text(scene_with_tree(
      kSlider,
      "actuators:\n"
      "  - {name: servo, joint: turn, type: position, kp: 10, kd: 1}\n"
      "  - {name: force, joint: slide, type: torque, max_effort: 5}\n"
      "  - {joint: cardan.2, type: velocity, kd: 1}\n"
      "commands:\n"
      "  - {actuator: force, effort: {sine: {amplitude: 3, frequency_hz: 0.5, offset: 1}}}\n"
      "  - {joint: turn, position_deg: {times: [0, 2], values: [10, 30], interpolation: linear}}\n"
      "  - {joint: cardan.2, velocity: {times: [0, 1], values: [5, 6], interpolation: hold}}\n"));
  ASSERT_EQ(world.joint_commands.size(), 3U);
  EXPECT_EQ(world.joint_commands[0].quantity, TargetQuantity::position);
  EXPECT_NEAR(value(world.joint_commands[0], 1), 20 * kRadPerDeg, 1e-15);
  EXPECT_EQ(world.joint_commands[1].quantity, TargetQuantity::velocity);
  EXPECT_EQ(value(world.joint_commands[1], 0.9), 5);
  EXPECT_EQ(actuator(world, world.joint_commands[1]).dof, 3);
  EXPECT_EQ(actuator(world, world.joint_commands[1]).name, "cardan.2");
  EXPECT_EQ(world.joint_commands[2].quantity, TargetQuantity::effort);
  EXPECT_NEAR(value(world.joint_commands[2], 0.5), 4, 1e-15);
  EXPECT_EQ(actuator(world, world.joint_commands[2]).max_effort, 5);
}

TEST(Commands, PrescribedJointsStartOnTheirWay) {
  const World world = load_text(scene_with_tree(
      kSlider,
      "actuators:\n"
      "  - {joint: turn, type: prescribed}\n"
      "  - {joint: slide, type: prescribed}\n"
      "commands:\n"
      "  - {joint: turn, position: {sine: {amplitude: 2, frequency_hz: 1, offset: 0.3}}}\n"
      "  - {joint: slide, velocity: 0.7}\n"));
  EXPECT_EQ(world.initial.q[0], 0.3);
  EXPECT_NEAR(world.initial.v[0], 4 * std::numbers::pi, 1e-14);
  EXPECT_EQ(world.initial.q[1], 0);
  EXPECT_EQ(world.initial.v[1], 0.7);
}

TEST(Commands, PrescribedStartMustAgreeWithTheJoints) {
  const auto issues = issues_of(
      "grouser: 1\nmodels:\n  - name: m\n    joints: {turn: {position: 0.5}}\n    tree:\n" +
      std::string(kSlider) +
      "actuators:\n  - {joint: turn, type: prescribed}\n"
      "commands:\n  - {joint: turn, position: 0.3}\n");
  ASSERT_EQ(issues.size(), 1U);
  EXPECT_EQ(issues[0].line, 16);
}

TEST(Commands, DriveWheelsByRateOrGroundSpeed) {
  const World world = load_text(
      "grouser: 1\nmodels: [{name: r, rover: exomars}]\ncommands:\n"
      "  - {wheels: all, ground_speed: 0.129}\n"
      "  - {steer: [front_left, r/rear_right], angle_deg: 20}\n");
  ASSERT_EQ(world.joint_commands.size(), 8U);
  for (const JointCommand& command : world.joint_commands) {
    if (command.quantity == TargetQuantity::velocity) {
      EXPECT_NEAR(value(command, 0), 1, 1e-15);
    } else {
      EXPECT_NEAR(value(command, 0), 20 * kRadPerDeg, 1e-15);
    }
  }
}

TEST(Commands, AllSteeringMeansTheWheelsThatCanBeSteered) {
  const World world = load_text(
      "grouser: 1\nmodels: [{name: r, rover: rocker_bogie}]\n"
      "commands: [{steer: all, angle: 0.1}]\n");
  EXPECT_EQ(world.joint_commands.size(), 4U);
}

// A wheel whose drive joint points to the right turns forward at negative rate.
TEST(Commands, KnowWhichWayAWheelTurns) {
  const std::string wheels =
      "      bodies:\n"
      "        - {name: hull, mass: 1, inertia: [1, 1, 1]}\n"
      "        - {name: l, mass: 1, inertia: [1, 1, 1], joint: {name: dl, type: revolute,\n"
      "           parent: hull, axis: [0, 1, 0]}}\n"
      "        - {name: r, mass: 1, inertia: [1, 1, 1], joint: {name: dr, type: revolute,\n"
      "           parent: hull, rpy_deg: [180, 0, 0], axis: [0, 1, 0]}}\n"
      "      chassis: hull\n"
      "      wheels: [{body: l, drive: dl, radius: 1, width: 1},"
      " {body: r, drive: dr, radius: 1, width: 1}]\n"
      "      actuators: [{joint: dl, type: velocity, kd: 1}, {joint: dr, type: velocity, kd: 1}]\n";
  const World world = load_text(scene_with_tree(wheels, "commands: [{wheels: all, speed: 2}]\n"));
  EXPECT_EQ(value(world.joint_commands[0], 0), 2);
  EXPECT_EQ(value(world.joint_commands[1], 0), -2);
}

TEST(Commands, ReadPaths) {
  const World world = load_text(
      "grouser: 1\nmodels: [{name: r, rover: exomars}]\ncommands:\n"
      "  - path: {rover: r, waypoints: [[1, 0], [2, 1]], mode: crab, speed: 0.04, lookahead: 0.3,\n"
      "           tolerance: 0.02, turn_rate: 0.2, heading_tolerance: 0.1, start_time: 2,\n"
      "           rate_hz: 10}\n");
  ASSERT_EQ(world.path_commands.size(), 1U);
  const PathCommand& path = world.path_commands[0];
  EXPECT_EQ(path.rover, 0);
  EXPECT_EQ(path.plan.waypoints[1], Eigen::Vector2d(2, 1));
  EXPECT_EQ(path.plan.mode, SteeringMode::crab);
  EXPECT_EQ(path.plan.speed, 0.04);
  EXPECT_EQ(path.plan.lookahead, 0.3);
  EXPECT_EQ(path.plan.tolerance, 0.02);
  EXPECT_EQ(path.plan.turn_rate, 0.2);
  EXPECT_EQ(path.plan.heading_tolerance, 0.1);
  EXPECT_EQ(path.start_time, 2);
  EXPECT_EQ(path.rate_hz, 10);
}

TEST(Commands, VelocityBesidesPositionComesAfterIt) {
  const World world = load_text(
      scene_with_tree(kSlider,
                      "actuators: [{joint: turn, type: position, kp: 1}]\n"
                      "commands: [{joint: turn, velocity: 1}, {joint: turn, position: 2}]\n"));
  EXPECT_EQ(world.joint_commands[0].quantity, TargetQuantity::position);
  EXPECT_EQ(world.joint_commands[1].quantity, TargetQuantity::velocity);
  const auto alone = issues_of(scene_with_tree(kSlider,
                                               "actuators: [{joint: turn, type: position, kp: "
                                               "1}]\ncommands: [{joint: turn, velocity: 1}]\n"));
  ASSERT_EQ(alone.size(), 1U);
  EXPECT_EQ(alone[0].message, "a position actuator needs a position besides the velocity");
}

TEST(Commands, RefuseDegreesForSliders) {
  const auto issues =
      issues_of(scene_with_tree(kSlider,
                                "actuators: [{joint: slide, type: position, kp: 1}]\n"
                                "commands: [{joint: slide, position_deg: 1}]\n"
                                "events: [{name: e, joint: slide, position_deg: 1}]\n"));
  EXPECT_EQ(issues.size(), 2U);
}

TEST(Commands, CoordinatesOfWideJointsMustBeNamed) {
  const auto issues = issues_of(
      scene_with_tree(kSlider,
                      "events: [{name: a, joint: cardan, position: 1}, {name: b, joint: cardan.3,"
                      " position: 1}, {name: c, joint: turn.1, position: 1}]\n"));
  ASSERT_EQ(issues.size(), 3U);
  EXPECT_EQ(issues[0].message, "the joint has several coordinates: name one of them");
  EXPECT_EQ(issues[2].message, "a revolute joint has no such coordinate");
}

TEST(Events, ReadAllQuantities) {
  const World world = load_text(scene_with_tree(
      kSlider,
      "tethers: [{name: t, a: {body: c}, b: {body: world}, stiffness: 1, length: 1}]\n"
      "events:\n"
      "  - {name: a, joint: turn, position_deg: 90, direction: rising}\n"
      "  - {name: b, joint: slide, velocity: 2, direction: falling}\n"
      "  - {name: c, body: m/c, y: -1}\n"
      "  - {name: d, tether: t, tension: 4, stop: true, direction: both}\n"));
  ASSERT_EQ(world.events.size(), 4U);
  EXPECT_EQ(world.events[0].quantity, EventQuantity::joint_position);
  EXPECT_NEAR(world.events[0].threshold, 90 * kRadPerDeg, 1e-15);
  EXPECT_EQ(world.events[0].direction, 1);
  EXPECT_EQ(world.events[1].quantity, EventQuantity::joint_velocity);
  EXPECT_EQ(world.events[1].index, 1);
  EXPECT_EQ(world.events[1].direction, -1);
  EXPECT_EQ(world.events[2].quantity, EventQuantity::body_y);
  EXPECT_EQ(world.events[2].index, 2);
  EXPECT_EQ(world.events[2].threshold, -1);
  EXPECT_EQ(world.events[3].quantity, EventQuantity::tether_tension);
  EXPECT_TRUE(world.events[3].stop);
}

}  // namespace
}  // namespace grouser::internal
