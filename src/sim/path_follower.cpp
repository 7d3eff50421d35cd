#include "sim/path_follower.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace grouser::internal {
namespace {

using Vec2 = Eigen::Vector2d;

constexpr double kApproachTime = 1;  // errors are closed no faster than at error / this [s]

double wrapped(double angle) { return std::remainder(angle, 2 * std::numbers::pi); }

// Straight piece number `index` of the path; piece 0 begins at the start.
struct Segment {
  Vec2 begin, end;
  Vec2 along = Vec2::Zero();  // unit; zero if the segment is a point
  double length = 0;          // [m]
};

// The path and where the chassis is.
struct View {
  const PathPlan& plan;
  const Vec2& start;
  const PlanarPose& pose;

  std::size_t count() const { return plan.waypoints.size(); }
  Vec2 position() const { return {pose.x, pose.y}; }

  Segment segment(std::size_t index) const {
    Segment s{.begin = index == 0 ? start : plan.waypoints[index - 1],
              .end = plan.waypoints[index]};
    s.length = (s.end - s.begin).norm();
    if (s.length > 0) s.along = (s.end - s.begin) / s.length;
    return s;
  }

  // The next segment that is not a point, or count().
  std::size_t next(std::size_t index) const {
    for (++index; index < count(); ++index) {
      if (segment(index).length > 0) break;
    }
    return index;
  }

  // True where the lookahead must not reach beyond the end of the segment.
  bool ends_leg(std::size_t index) const {
    const std::size_t after = next(index);
    return after >= count() || segment(index).along.dot(segment(after).along) < 0;
  }

  // Within 45°.
  bool heads_along(const Segment& s) const {
    return Vec2(std::cos(pose.yaw), std::sin(pose.yaw)).dot(s.along) > std::sqrt(0.5);
  }

  double heading_error(const Vec2& target) const {
    const Vec2 way = target - position();
    return wrapped(std::atan2(way.y(), way.x()) - pose.yaw);
  }
};

// An Ackermann rover that misses the end of a leg drives one loop for it, then lets it be:
// `turning` goes 0, 1 when it has passed, 2 when it is back before the end. Without a cap, a rover
// that cannot turn tightly enough would circle for ever.
bool missed(const View& view, const Segment& s, double& turning) {
  const Vec2 offset = view.position() - s.end;
  if (offset.dot(s.along) < 0) {
    if (turning == 1) turning = 2;
    return false;
  }
  if (!view.heads_along(s)) return false;
  if (turning == 0) turning = 1;
  return turning == 2 || offset.norm() <= 2 * view.plan.tolerance;
}

bool reached(const View& view, std::size_t index, double& turning) {
  const Segment s = view.segment(index);
  const Vec2 offset = view.position() - s.end;
  if (offset.norm() <= view.plan.tolerance) return true;
  if (view.plan.mode == SteeringMode::point_turn || s.length == 0) return false;
  if (!view.ends_leg(index)) return offset.dot(s.along) >= 0;
  return view.plan.mode == SteeringMode::ackermann && missed(view, s, turning);
}

// The point of the path one lookahead ahead of the chassis. At the end of a leg it is that end
// unless the chassis is on the line: then it runs on straight, which keeps the steering calm.
Vec2 aim_point(const View& view, std::size_t index) {
  Segment s = view.segment(index);
  const Vec2 offset = view.position() - s.begin;
  const double across = std::abs(s.along.x() * offset.y() - s.along.y() * offset.x());
  const double driven = offset.dot(s.along);
  const bool on_line = view.plan.mode == SteeringMode::ackermann && view.heads_along(s) &&
                       driven <= s.length && across <= view.plan.tolerance;
  double ahead = std::clamp(driven, 0.0, s.length) + view.plan.lookahead;
  while (ahead > s.length) {
    if (view.ends_leg(index)) return on_line ? Vec2(s.begin + ahead * s.along) : s.end;
    ahead -= s.length;
    index = view.next(index);
    s = view.segment(index);
  }
  return s.begin + ahead * s.along;
}

// The circle through the chassis and the aim that is tangent to the heading; for an aim behind,
// the half circle.
PlanarTwist pursue(const View& view, const Vec2& aim, double speed) {
  const double angle = view.heading_error(aim);
  const double sine =
      std::abs(angle) > std::numbers::pi / 2 ? std::copysign(1.0, angle) : std::sin(angle);
  const double curvature = 2 * sine / (aim - view.position()).norm();
  const double turning = std::abs(curvature) * speed;
  if (turning > view.plan.turn_rate) speed *= view.plan.turn_rate / turning;
  return {.vx = speed, .vy = 0, .wz = curvature * speed};
}

PlanarTwist crab(const View& view, const Vec2& aim, double speed) {
  const double angle = view.heading_error(aim);
  return {.vx = speed * std::cos(angle), .vy = speed * std::sin(angle), .wz = 0};
}

// Turns until the error is small, then drives until it has become large again.
PlanarTwist turn_or_drive(const View& view, const Vec2& target, PathProgress& progress) {
  const PathPlan& plan = view.plan;
  const double error = view.heading_error(target);
  const double wanted = progress.turning != 0 ? plan.heading_tolerance : 2 * plan.heading_tolerance;
  progress.turning = std::abs(error) > wanted ? 1 : 0;
  if (progress.turning != 0) {
    return {.wz = std::clamp(error / kApproachTime, -plan.turn_rate, plan.turn_rate)};
  }
  const double distance = (target - view.position()).norm();
  return {.vx = std::min(plan.speed, distance / kApproachTime)};
}

// Skips what has been reached; false at the end of the path.
bool advance(const View& view, PathProgress& progress) {
  auto index = static_cast<std::size_t>(progress.segment);
  while (index < view.count()) {
    const std::size_t after = view.next(index);
    const bool is_point = view.segment(index).length == 0 && after < view.count();
    if (!is_point && !reached(view, index, progress.turning)) break;
    index = after;
    progress.turning = view.plan.mode == SteeringMode::point_turn ? 1 : 0;
  }
  progress.segment = static_cast<double>(index);
  return index < view.count();
}

}  // namespace

PlanarTwist follow_path(const PathPlan& plan, const Eigen::Vector2d& start, const PlanarPose& pose,
                        PathProgress& progress) {
  const View view{plan, start, pose};
  if (progress.done != 0 || !advance(view, progress)) {
    progress = {.segment = static_cast<double>(view.count()), .turning = 0, .done = 1};
    return {};
  }
  const auto index = static_cast<std::size_t>(progress.segment);
  if (plan.mode == SteeringMode::point_turn) {
    return turn_or_drive(view, plan.waypoints[index], progress);
  }
  const double to_end = (plan.waypoints[index] - view.position()).norm();
  const double speed =
      view.ends_leg(index) ? std::min(plan.speed, to_end / kApproachTime) : plan.speed;
  const Vec2 aim = aim_point(view, index);
  return plan.mode == SteeringMode::crab ? crab(view, aim, speed) : pursue(view, aim, speed);
}

double distance_from_path(const PathPlan& plan, const Eigen::Vector2d& start,
                          const Eigen::Vector2d& place) {
  double nearest = (place - start).norm();
  Vec2 begin = start;
  for (const Vec2& end : plan.waypoints) {
    const Vec2 way = end - begin;
    const double length2 = way.squaredNorm();
    const double part = length2 > 0 ? std::clamp((place - begin).dot(way) / length2, 0.0, 1.0) : 0;
    nearest = std::min(nearest, (place - begin - part * way).norm());
    begin = end;
  }
  return nearest;
}

}  // namespace grouser::internal
