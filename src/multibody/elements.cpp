#include "multibody/elements.h"

#include <algorithm>

namespace grouser::internal {
namespace {

struct RowCount {
  int operator()(const BallLoop&) const { return 3; }
  int operator()(const HingeLoop&) const { return 5; }
  int operator()(const DistanceLoop&) const { return 1; }
  int operator()(const CouplingLoop&) const { return 1; }
};

}  // namespace

int row_count(const Loop& loop) { return std::visit(RowCount{}, loop.law); }

const char* to_string(ActuatorType type) {
  constexpr const char* kNames[] = {"torque", "velocity", "position", "prescribed"};
  return kNames[static_cast<int>(type)];
}

double effort_limit(const Actuator& actuator, const ActuatorTarget& target, double direction,
                    double v) {
  const double left = std::clamp(1 - direction * v / actuator.no_load_speed, 0.0, 1.0);
  return std::min(actuator.max_effort, actuator.stall_effort * target.available * left);
}

double actuator_effort(const Actuator& actuator, const ActuatorTarget& target, double q, double v) {
  double effort = target.effort;
  if (actuator.type == ActuatorType::position) effort += actuator.kp * (target.position - q);
  if (actuator.type != ActuatorType::torque) effort += actuator.kd * (target.velocity - v);
  return std::clamp(effort, -effort_limit(actuator, target, -1, v),
                    effort_limit(actuator, target, 1, v));
}

std::pair<double, double> unloaded_length(const Tether& tether, double time) {
  const double end = std::clamp(time, tether.rate_start, tether.rate_end);
  const double length = tether.length + tether.rate * (end - tether.rate_start);
  const bool moving = time >= tether.rate_start && time < tether.rate_end && length > 0;
  return {std::max(0.0, length), moving ? tether.rate : 0.0};
}

}  // namespace grouser::internal
