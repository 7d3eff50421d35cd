#include "sim/steering.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

namespace grouser::internal {
namespace {

constexpr double kSidewaysBand =
    5 * std::numbers::pi / 180;  // about ±90°, both ways of rolling allowed [rad]

// The steering angle of either way of rolling along `course` [rad], forwards or backwards.
double best_steer(double course, double previous) {
  const double opposite = course - std::copysign(std::numbers::pi, course);
  if (std::abs(std::abs(course) - std::numbers::pi / 2) <= kSidewaysBand) {
    const double forward_turn = std::abs(course - previous);
    const double backward_turn = std::abs(opposite - previous);
    if (forward_turn != backward_turn) return forward_turn < backward_turn ? course : opposite;
  }
  return std::abs(course) <= std::numbers::pi / 2 ? course : opposite;
}

// Speeds below the rounding error of the sums they come from have no direction.
bool stands_still(const WheelPlan& wheel, const PlanarTwist& twist, double speed) {
  const double terms = std::abs(twist.vx) + std::abs(twist.vy) +
                       std::abs(twist.wz) * (std::abs(wheel.x) + std::abs(wheel.y));
  return speed <= 4 * std::numeric_limits<double>::epsilon() * terms;
}

WheelCommand command(const WheelPlan& wheel, const PlanarTwist& twist, double previous_steer) {
  const double vx = twist.vx - twist.wz * wheel.y;
  const double vy = twist.vy + twist.wz * wheel.x;
  const double limit = wheel.steerable ? wheel.max_steer : 0;
  if (stands_still(wheel, twist, std::hypot(vx, vy))) {
    return {.steer = std::clamp(previous_steer, -limit, limit), .speed = 0};
  }
  const double steer = std::clamp(best_steer(std::atan2(vy, vx), previous_steer), -limit, limit);
  return {.steer = steer, .speed = (vx * std::cos(steer) + vy * std::sin(steer)) / wheel.radius};
}

}  // namespace

const char* to_string(SteeringMode mode) {
  switch (mode) {
    case SteeringMode::ackermann:
      return "ackermann";
    case SteeringMode::crab:
      return "crab";
    case SteeringMode::point_turn:
      return "point_turn";
  }
  return "unknown";
}

void wheel_commands(std::span<const WheelPlan> wheels, const PlanarTwist& twist,
                    std::span<WheelCommand> commands_in_out) {
  assert(wheels.size() == commands_in_out.size());
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    commands_in_out[i] = command(wheels[i], twist, commands_in_out[i].steer);
  }
}

}  // namespace grouser::internal
