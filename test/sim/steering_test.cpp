#include "sim/steering.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

namespace grouser::internal {
namespace {

constexpr double kRadius = 0.15;

using Commands = std::array<WheelCommand, 6>;

std::array<WheelPlan, 6> six_wheels(double max_steer = std::numbers::pi / 2) {
  std::array<WheelPlan, 6> wheels;
  for (std::size_t i = 0; i < 6; ++i) {
    wheels[i] = {.x = 0.6 - 0.6 * static_cast<double>(i / 2),
                 .y = i % 2 == 0 ? 0.5 : -0.5,
                 .radius = kRadius,
                 .steerable = true,
                 .max_steer = max_steer};
  }
  return wheels;
}

Commands commands(const std::array<WheelPlan, 6>& wheels, const PlanarTwist& twist,
                  Commands previous = {}) {
  wheel_commands(wheels, twist, previous);
  return previous;
}

TEST(Steering, AckermannAxesMeetAndSpeedsFollowTheDistance) {
  const auto wheels = six_wheels();
  const PlanarTwist twist{.vx = 0.05, .vy = 0, .wz = 0.025};
  const double turn_radius = twist.vx / twist.wz;  // centre of turn at (0, 2 m)
  const Commands all = commands(wheels, twist);
  for (std::size_t i = 0; i < 6; ++i) {
    const double to_x = 0 - wheels[i].x, to_y = turn_radius - wheels[i].y;
    // The axis is across the heading: no part of the way to the centre lies along the heading.
    EXPECT_NEAR(to_x * std::cos(all[i].steer) + to_y * std::sin(all[i].steer), 0, 1e-15);
    EXPECT_NEAR(all[i].speed * kRadius, twist.wz * std::hypot(to_x, to_y), 1e-15);
  }
  EXPECT_GT(all[0].steer, all[1].steer);  // the inner front wheel turns more
  EXPECT_GT(all[0].steer, 0);
  EXPECT_LT(all[4].steer, 0);
}

TEST(Steering, StraightIsStraight) {
  for (const WheelCommand& c : commands(six_wheels(), {.vx = 0.06})) {
    EXPECT_EQ(c.steer, 0);
    EXPECT_DOUBLE_EQ(c.speed, 0.06 / kRadius);
  }
}

TEST(Steering, CrabKeepsAllWheelsParallel) {
  for (const WheelCommand& c : commands(six_wheels(), {.vx = 0.03, .vy = 0.04})) {
    EXPECT_DOUBLE_EQ(c.steer, std::atan2(0.04, 0.03));
    EXPECT_DOUBLE_EQ(c.speed, 0.05 / kRadius);
  }
}

TEST(Steering, PointTurnIsTangential) {
  const auto wheels = six_wheels();
  const Commands all = commands(wheels, {.wz = 0.1});
  for (std::size_t i = 0; i < 6; ++i) {
    const double vx = all[i].speed * kRadius * std::cos(all[i].steer);
    const double vy = all[i].speed * kRadius * std::sin(all[i].steer);
    EXPECT_NEAR(vx, -0.1 * wheels[i].y, 1e-16);
    EXPECT_NEAR(vy, 0.1 * wheels[i].x, 1e-16);
    EXPECT_LE(std::abs(all[i].steer), std::numbers::pi / 2);
  }
  EXPECT_LT(all[2].speed, 0);  // left wheels roll backwards
  EXPECT_GT(all[3].speed, 0);
}

TEST(Steering, ReversesRatherThanSteerPastNinetyDegrees) {
  for (double course = -std::numbers::pi; course <= std::numbers::pi; course += 0.01) {
    const double vx = std::cos(course), vy = std::sin(course);
    for (const WheelCommand& c : commands(six_wheels(), {.vx = vx, .vy = vy})) {
      EXPECT_LE(std::abs(c.steer), std::numbers::pi / 2 + 1e-12);
      EXPECT_NEAR(c.speed * kRadius * std::cos(c.steer), vx, 1e-14);
      EXPECT_NEAR(c.speed * kRadius * std::sin(c.steer), vy, 1e-14);
    }
  }
  EXPECT_EQ(commands(six_wheels(), {.vx = -1})[0].steer, 0);
  EXPECT_LT(commands(six_wheels(), {.vx = -1})[0].speed, 0);
}

TEST(Steering, SidewaysWheelsDoNotFlip) {
  const auto wheels = six_wheels(1.7);
  Commands all = commands(wheels, {.vx = 0.001, .vy = 1});
  all = commands(wheels, {.vx = -0.001, .vy = 1}, all);
  EXPECT_NEAR(all[0].steer, std::numbers::pi / 2 + 0.001, 1e-6);
  EXPECT_GT(all[0].speed, 0);
  all = commands(wheels, {.vx = -0.2, .vy = 1}, all);  // beyond the band
  EXPECT_LT(all[0].steer, 0);
  EXPECT_LT(all[0].speed, 0);
}

TEST(Steering, LimitedSteeringRollsWithThePartAlongItsHeading) {
  const double limit = 0.5;
  for (const WheelCommand& c : commands(six_wheels(limit), {.vx = 0.01, .vy = 0.05})) {
    EXPECT_EQ(c.steer, limit);
    EXPECT_DOUBLE_EQ(c.speed, (0.01 * std::cos(limit) + 0.05 * std::sin(limit)) / kRadius);
  }
}

TEST(Steering, FixedWheelRollsWithTheForwardPart) {
  auto wheels = six_wheels();
  wheels[2].steerable = false;
  wheels[2].max_steer = 1;  // without meaning
  const Commands all = commands(wheels, {.vx = 0.03, .vy = 0.04, .wz = 0.02});
  EXPECT_EQ(all[2].steer, 0);
  EXPECT_DOUBLE_EQ(all[2].speed, (0.03 - 0.02 * 0.5) / kRadius);
}

TEST(Steering, StandstillKeepsTheSteer) {
  Commands previous;
  for (auto& c : previous) c = {.steer = 0.3, .speed = 1};
  for (const WheelCommand& c : commands(six_wheels(), {}, previous)) {
    EXPECT_EQ(c.steer, 0.3);
    EXPECT_EQ(c.speed, 0);
  }
  // A turn about the first wheel's centre: it alone stands still, whatever the rounding.
  const double wz = 0.1;
  const PlanarTwist about_wheel{.vx = wz * 0.5, .vy = -wz * 0.6, .wz = wz};
  const Commands all = commands(six_wheels(), about_wheel, previous);
  EXPECT_EQ(all[0].steer, 0.3);
  EXPECT_EQ(all[0].speed, 0);
  EXPECT_NE(all[1].speed, 0);
}

TEST(Steering, ModesHaveNames) {
  EXPECT_STREQ(to_string(SteeringMode::ackermann), "ackermann");
  EXPECT_STREQ(to_string(SteeringMode::crab), "crab");
  EXPECT_STREQ(to_string(SteeringMode::point_turn), "point_turn");
}

}  // namespace
}  // namespace grouser::internal
