#include "sim/path_follower.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace grouser::internal {
namespace {

using Vec2 = Eigen::Vector2d;
constexpr double kPeriod = 0.05;  // sampling period of the controller [s]

struct Drive {
  std::vector<PlanarPose> poses;
  PathProgress progress;
  double time = 0;  // [s]

  Vec2 end() const { return {poses.back().x, poses.back().y}; }
};

// An ideal rover: moves with exactly the commanded twist between samples.
PlanarPose moved(const PlanarPose& pose, const PlanarTwist& twist, double dt) {
  const double turn = twist.wz * dt;
  // ∫ R(wz t) dt of the twist, in a form without division by wz
  const double sinc = std::abs(turn) < 1e-8 ? 1 : std::sin(turn) / turn;
  const double cosc = std::abs(turn) < 1e-8 ? turn / 2 : (1 - std::cos(turn)) / turn;
  const double dx = dt * (sinc * twist.vx - cosc * twist.vy);
  const double dy = dt * (cosc * twist.vx + sinc * twist.vy);
  const double c = std::cos(pose.yaw), s = std::sin(pose.yaw);
  return {pose.x + c * dx - s * dy, pose.y + s * dx + c * dy, pose.yaw + turn};
}

Drive drive(const PathPlan& plan, PlanarPose pose, double most_time) {
  const Vec2 start(pose.x, pose.y);
  Drive result;
  result.poses.push_back(pose);
  while (result.progress.done == 0 && result.time < most_time) {
    const PlanarTwist twist = follow_path(plan, start, pose, result.progress);
    EXPECT_TRUE(std::isfinite(twist.vx) && std::isfinite(twist.vy) && std::isfinite(twist.wz));
    EXPECT_LE(std::hypot(twist.vx, twist.vy), plan.speed * (1 + 1e-12));
    EXPECT_LE(std::abs(twist.wz), plan.turn_rate * (1 + 1e-12));
    pose = moved(pose, twist, kPeriod);
    result.poses.push_back(pose);
    result.time += kPeriod;
  }
  return result;
}

double distance_to_path(const std::vector<Vec2>& path, const Vec2& p) {
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const Vec2 way = path[i + 1] - path[i];
    const double t = std::clamp((p - path[i]).dot(way) / way.squaredNorm(), 0.0, 1.0);
    nearest = std::min(nearest, (path[i] + t * way - p).norm());
  }
  return nearest;
}

double closest_pass(const Drive& d, const Vec2& point) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const PlanarPose& p : d.poses) nearest = std::min(nearest, (Vec2(p.x, p.y) - point).norm());
  return nearest;
}

// y = sin(2π x / 8) over 8 m, in pieces of 0.2 m; largest curvature (2π/8)² = 0.6 /m
std::vector<Vec2> s_curve() {
  std::vector<Vec2> points;
  for (int i = 1; i <= 40; ++i)
    points.emplace_back(0.2 * i, std::sin(2 * std::numbers::pi * 0.2 * i / 8));
  return points;
}

TEST(PathFollower, AckermannFollowsAnSCurve) {
  const PathPlan plan{.waypoints = s_curve(), .lookahead = 0.4};
  const Drive d = drive(plan, {.yaw = 0}, 400);  // the path sets off at 38°
  ASSERT_EQ(d.progress.done, 1);
  EXPECT_EQ(d.progress.segment, 40);
  EXPECT_LE((d.end() - plan.waypoints.back()).norm(), plan.tolerance);
  std::vector<Vec2> path = plan.waypoints;
  path.insert(path.begin(), Vec2::Zero());
  double largest = 0;
  for (const PlanarPose& p : d.poses) {
    if (p.x > 1.5) largest = std::max(largest, distance_to_path(path, {p.x, p.y}));
  }
  EXPECT_LE(largest, 0.02);                    // measured 0.006, where the curve is sharpest
  EXPECT_LE(d.time, 1.1 * 10.4 / plan.speed);  // the path is 10.4 m long
}

TEST(PathFollower, AckermannConvergesFromTheSide) {
  const PathPlan plan{.waypoints = {{6, 0}}};
  // The path runs from the start, so an initial heading error makes the cross-track error.
  const Drive d = drive(plan, {.yaw = 0.8}, 300);
  ASSERT_EQ(d.progress.done, 1);
  double largest = 0;
  for (const PlanarPose& p : d.poses) {
    if (p.x > 3) largest = std::max(largest, std::abs(p.y));
  }
  EXPECT_LE(largest, 0.005);  // measured 3e-4
  EXPECT_LE((d.end() - Vec2(6, 0)).norm(), plan.tolerance);
}

TEST(PathFollower, CrabKeepsTheYawExactly) {
  const PathPlan plan{.waypoints = s_curve(), .mode = SteeringMode::crab, .lookahead = 0.3};
  const Drive d = drive(plan, {.yaw = 0.7}, 400);
  ASSERT_EQ(d.progress.done, 1);
  std::vector<Vec2> path = plan.waypoints;
  path.insert(path.begin(), Vec2::Zero());
  for (const PlanarPose& p : d.poses) {
    EXPECT_EQ(p.yaw, 0.7);
    EXPECT_LE(distance_to_path(path, {p.x, p.y}), 0.04);  // measured 0.029
  }
  EXPECT_LE((d.end() - plan.waypoints.back()).norm(), plan.tolerance);
}

TEST(PathFollower, PointTurnReachesEveryWaypoint) {
  const PathPlan plan{.waypoints = {{2, 0}, {2, 2}, {-1, 1}, {0, 0}},
                      .mode = SteeringMode::point_turn};
  const Drive d = drive(plan, {.yaw = 2}, 1000);
  ASSERT_EQ(d.progress.done, 1);
  for (const Vec2& w : plan.waypoints) EXPECT_LE(closest_pass(d, w), plan.tolerance);
  EXPECT_LE((d.end() - plan.waypoints.back()).norm(), plan.tolerance);
  for (std::size_t i = 1; i < d.poses.size(); ++i) {  // never turns and drives at once
    const double step =
        std::hypot(d.poses[i].x - d.poses[i - 1].x, d.poses[i].y - d.poses[i - 1].y);
    EXPECT_TRUE(step < 1e-15 || d.poses[i].yaw == d.poses[i - 1].yaw);
  }
}

TEST(PathFollower, EveryModeReachesAWaypointBehind) {
  for (const auto mode : {SteeringMode::ackermann, SteeringMode::crab, SteeringMode::point_turn}) {
    for (const double distance : {0.3, 1.0, 3.0}) {
      const PathPlan plan{.waypoints = {{-distance, 0}}, .mode = mode};
      const Drive d = drive(plan, {}, 400);
      EXPECT_EQ(d.progress.done, 1) << to_string(mode) << ' ' << distance;
      EXPECT_LE((d.end() - plan.waypoints.back()).norm(), plan.tolerance)
          << to_string(mode) << ' ' << distance;
    }
  }
}

TEST(PathFollower, SharpCornersAreDrivenOut) {
  for (const auto mode : {SteeringMode::ackermann, SteeringMode::crab}) {
    const PathPlan plan{.waypoints = {{3, 0}, {0, 0.5}}, .mode = mode};
    const Drive d = drive(plan, {}, 400);
    EXPECT_EQ(d.progress.done, 1);
    EXPECT_LE(closest_pass(d, {3, 0}), plan.tolerance) << to_string(mode);
    EXPECT_LE(closest_pass(d, {0, 0.5}), plan.tolerance) << to_string(mode);
  }
}

TEST(PathFollower, DuplicateWaypointsAreHarmless) {
  for (const auto mode : {SteeringMode::ackermann, SteeringMode::crab, SteeringMode::point_turn}) {
    const PathPlan plan{.waypoints = {{0, 0}, {0, 0}, {2, 0}, {2, 0}, {2, 2}, {2, 2}, {2, 2}},
                        .mode = mode};
    const Drive d = drive(plan, {}, 400);
    EXPECT_EQ(d.progress.done, 1) << to_string(mode);
    EXPECT_EQ(d.progress.segment, 7);
    EXPECT_LE((d.end() - Vec2(2, 2)).norm(), plan.tolerance) << to_string(mode);
    EXPECT_LE(closest_pass(d, {2, 0}), 0.25) << to_string(mode);  // cut by crab: 0.224
  }
}

TEST(PathFollower, StaysDoneWithZeroTwist) {
  const PathPlan plan{.waypoints = {{0.01, 0}}};
  PathProgress progress;
  PlanarTwist twist = follow_path(plan, Vec2::Zero(), {}, progress);
  EXPECT_EQ(progress.done, 1);
  twist = follow_path(plan, Vec2::Zero(), {.x = 5}, progress);  // pushed away: no new start
  EXPECT_EQ(twist.vx, 0);
  EXPECT_EQ(twist.vy, 0);
  EXPECT_EQ(twist.wz, 0);
}

TEST(PathFollower, FastRoversStopToo) {
  for (const auto mode : {SteeringMode::ackermann, SteeringMode::crab, SteeringMode::point_turn}) {
    const PathPlan plan{.waypoints = {{20, 0}, {20, 20}},
                        .mode = mode,
                        .speed = 3,
                        .turn_rate = 1.5,
                        .lookahead = 3};
    const Drive d = drive(plan, {}, 60);
    EXPECT_EQ(d.progress.done, 1) << to_string(mode);
    EXPECT_LE((d.end() - Vec2(20, 20)).norm(), plan.tolerance) << to_string(mode);
  }
}

TEST(PathFollower, AckermannLetsANearMissBe) {
  const PathPlan plan{.waypoints = {{2, 0}}};
  PathProgress progress;
  follow_path(plan, Vec2::Zero(), {.x = 1.99, .y = 0.09}, progress);
  EXPECT_EQ(progress.done, 0);
  follow_path(plan, Vec2::Zero(), {.x = 2, .y = 0.09}, progress);
  EXPECT_EQ(progress.done, 1);
}

// A rover that cannot turn tighter than 1 m would circle a missed end for ever.
TEST(PathFollower, AckermannComesBackOnceForAnEndItMissed) {
  const PathPlan plan{.waypoints = {{2, 0}}, .speed = 0.1};
  PlanarPose pose{.x = 1.9, .y = 0.3, .yaw = 0};
  PathProgress progress;
  double time = 0;  // [s]
  for (; time < 200 && progress.done == 0; time += kPeriod) {
    PlanarTwist twist = follow_path(plan, Vec2::Zero(), pose, progress);
    twist.wz = std::clamp(twist.wz, -twist.vx, twist.vx);
    pose = moved(pose, twist, kPeriod);
  }
  EXPECT_EQ(progress.done, 1);
  EXPECT_GT(time, 2 * std::numbers::pi / 0.1);  // one circle
  EXPECT_NEAR(pose.x, 2, 0.01);
}

}  // namespace
}  // namespace grouser::internal
