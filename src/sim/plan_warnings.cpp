#include "sim/plan_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/index.h"
#include "math/angle.h"
#include "sim/listed.h"
#include "sim/rover_plan.h"
#include "sim/sample.h"

namespace grouser::internal {
namespace {

using Warnings = std::vector<std::string>;

void warn_of_settings(const World& world, Warnings& warnings) {
  constexpr double kLongStep = 0.02;  // [s]: rovers were tried with 1 to 5 ms
  const RunSettings& settings = world.settings;
  const IntegratorOptions& options = settings.integrator;
  if (options.step > settings.duration && is_one_step(options.method)) {
    warnings.push_back(fmt::format("the step of {:g} s is longer than the run of {:g} s",
                                   options.step, settings.duration));
  } else if (options.step > kLongStep && is_time_stepping(options.method) &&
             !world.rovers.empty() && !world.contacts.empty()) {
    warnings.push_back(
        fmt::format("the step of {:g} s is long for wheels on the ground: rovers were tried with "
                    "0.001 to 0.005 s; compare with a shorter one",
                    options.step));
  }
  if (settings.record_rate_hz > 0 && 1 / settings.record_rate_hz > settings.duration) {
    warnings.push_back(
        fmt::format("at {:g} Hz the record holds only where the run of {:g} s begins "
                    "and ends",
                    settings.record_rate_hz, settings.duration));
  }
}

/// When a signal first leaves the value it has at time 0 [s]; infinity: never.
double first_change(const Signal& signal) {
  const auto* table = std::get_if<TableSignal>(&signal);
  if (table == nullptr) return 0;
  for (std::size_t k = 1; k < table->value.size(); ++k) {
    if (table->value[k] == table->value[0]) continue;
    return table->curve == TableCurve::hold ? table->time[k] : table->time[k - 1];
  }
  return std::numeric_limits<double>::infinity();
}

/// Smallest and largest value of a signal; of a spline at its points.
std::pair<double, double> range_of(const Signal& signal) {
  if (const auto* constant = std::get_if<ConstantSignal>(&signal)) {
    return {constant->value, constant->value};
  }
  if (const auto* sine = std::get_if<SineSignal>(&signal)) {
    const double reach = std::abs(sine->amplitude);
    return {sine->offset - reach, sine->offset + reach};
  }
  const auto [low, high] = std::ranges::minmax(std::get<TableSignal>(signal).value);
  return {low, high};
}

void warn_of_late_commands(const World& world, Warnings& warnings) {
  std::vector<std::string> names;
  double first = std::numeric_limits<double>::infinity();
  for (const JointCommand& command : world.joint_commands) {
    const double begin = first_change(command.signal);
    if (!std::isfinite(begin) || begin < world.settings.duration) continue;
    if (evaluate(command.signal, 0).value != 0) continue;
    names.push_back(world.model.actuators()[at(command.actuator)].name);
    first = std::min(first, begin);
  }
  if (names.empty()) return;
  warnings.push_back(fmt::format("commands begin at {:g} s, and the run ends at {:g} s: {}", first,
                                 world.settings.duration, listed(names)));
}

void warn_of_commands_beyond_stops(const World& world, Warnings& warnings) {
  constexpr double kSlack = 1e-9;
  std::vector<std::string> names;
  double asked = 0, lower = 0, upper = 0;
  for (const JointCommand& command : world.joint_commands) {
    const Actuator& actuator = world.model.actuators()[at(command.actuator)];
    if (command.quantity != TargetQuantity::position) continue;
    const DofLaw& law = world.model.laws()[at(actuator.dof)];
    const auto [low, high] = range_of(command.signal);
    if (low >= law.lower - kSlack && high <= law.upper + kSlack) continue;
    names.push_back(actuator.name);
    asked = low < law.lower ? low : high;
    lower = law.lower;
    upper = law.upper;
  }
  if (names.empty()) return;
  warnings.push_back(
      fmt::format("commands to {:.4g} lie beyond the joint's stops at {:.4g} and "
                  "{:.4g}: {}",
                  asked, lower, upper, listed(names)));
}

/// Angles of a hundred radians are degrees.
void warn_of_stops(const World& world, Warnings& warnings) {
  constexpr double kTurns = 2 * kTurn, kMostDegrees = 720;
  const auto is_odd = [](double stop) {
    return std::abs(stop) > kTurns && std::abs(stop) <= kMostDegrees;
  };
  std::vector<std::string> names;
  double lower = 0, upper = 0;
  for (std::size_t b = 0; b < world.model.bodies().size(); ++b) {
    const Joint& joint = world.model.joints()[b];
    if (joint.type != JointType::revolute) continue;
    const DofLaw& law = world.model.laws()[at(joint.v)];
    if (!is_odd(law.lower) && !is_odd(law.upper)) continue;
    names.push_back(world.model.bodies()[b].joint_name);
    lower = law.lower;
    upper = law.upper;
  }
  if (names.empty()) return;
  warnings.push_back(
      fmt::format("stops at {:g} and {:g} rad are more than two turns away; are they "
                  "degrees (lower_deg, upper_deg)? Joints {}",
                  lower, upper, listed(names)));
}

/// Wheels of one side that turn against each other.
void warn_of_opposed_wheels(const World& world, const Rover& rover, Warnings& warnings) {
  const RoverPlan plan = plan_rover(world, rover);
  const Wheel *forward[2] = {}, *backward[2] = {};
  const double time = 0.5 * world.settings.duration;
  for (std::size_t w = 0; w < rover.wheels.size(); ++w) {
    const int side = plan.wheels[w].y > 0 ? 1 : 0;
    for (const JointCommand& command : world.joint_commands) {
      if (command.actuator != plan.drive_actuator[w]) continue;
      if (command.quantity == TargetQuantity::position) continue;
      const double value = plan.drive_sign[w] * evaluate(command.signal, time).value;
      if (value > 0) forward[side] = &rover.wheels[w];
      if (value < 0) backward[side] = &rover.wheels[w];
    }
  }
  for (int side = 0; side < 2; ++side) {
    if (forward[side] == nullptr || backward[side] == nullptr) continue;
    warnings.push_back(fmt::format(
        "on one side of {} '{}' is driven forward and '{}' backward: a positive command turns a "
        "joint about its axis, which may point to either side; 'wheels:' drives all forward",
        rover.name, forward[side]->name, backward[side]->name));
  }
}

Vec2 start_of(const World& world, const Rover& rover) {
  Kinematics kinematics(world.model);
  forward_kinematics(world.model, world.initial.q, world.initial.v, kinematics);
  return kinematics.X_WB[at(rover.chassis)].p.head<2>();
}

void warn_of_path(const World& world, const PathCommand& command, Warnings& warnings) {
  const Rover& rover = world.rovers[at(command.rover)];
  const PathPlan& plan = command.plan;
  const Vec2 start = start_of(world, rover);
  Vec2 before = start;
  double length = 0;
  bool is_done_at_once = true;
  for (std::size_t k = 0; k < plan.waypoints.size(); ++k) {
    const Vec2& waypoint = plan.waypoints[k];
    length += (waypoint - before).norm();
    before = waypoint;
    is_done_at_once = is_done_at_once && (waypoint - start).norm() <= plan.tolerance;
    if (!world.ground || world.ground->map.domain().contains(waypoint)) continue;
    warnings.push_back(fmt::format("waypoint {} of {} at ({:g}, {:g}) lies beyond the map", k + 1,
                                   rover.name, waypoint.x(), waypoint.y()));
  }
  const double time = world.settings.duration - command.start_time;
  if (is_done_at_once) {
    warnings.push_back(
        fmt::format("the path of {} is done where it begins: all waypoints lie within "
                    "its tolerance of {:g} m",
                    rover.name, plan.tolerance));
  } else if (length - plan.tolerance > plan.speed * time &&
             world.watch.waypoint_not_reached != WatchAction::off) {
    warnings.push_back(
        fmt::format("the path of {} is {:.3g} m long, which takes {:.3g} s at {:g} m/s; the run "
                    "leaves it {:g} s",
                    rover.name, length, length / plan.speed, plan.speed, std::max(0.0, time)));
  }
  if (plan.waypoints.size() > 1 && plan.lookahead > length) {
    warnings.push_back(
        fmt::format("the lookahead of {:g} m is longer than the whole path of {} "
                    "({:.3g} m): it cuts all corners",
                    plan.lookahead, rover.name, length));
  }
}

}  // namespace

std::vector<std::string> plan_warnings(const World& world) {
  Warnings warnings;
  warn_of_settings(world, warnings);
  warn_of_late_commands(world, warnings);
  warn_of_commands_beyond_stops(world, warnings);
  warn_of_stops(world, warnings);
  for (const Rover& rover : world.rovers) warn_of_opposed_wheels(world, rover, warnings);
  for (const PathCommand& command : world.path_commands) warn_of_path(world, command, warnings);
  return warnings;
}

}  // namespace grouser::internal
