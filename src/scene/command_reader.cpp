#include "scene/command_reader.h"

#include <fmt/format.h>

#include "math/angle.h"
#include "scene/signal_reader.h"

namespace grouser::internal {
namespace {

/// A key that holds a number or signal, with what it means.
template <class Quantity>
struct QuantityKey {
  std::string_view key;
  Quantity quantity;
  const Range* range;
  bool in_degrees;
};

constexpr QuantityKey<TargetQuantity> kJointKeys[] = {
    {"position", TargetQuantity::position, &ranges::kJointPosition, false},
    {"position_deg", TargetQuantity::position, &ranges::kJointDegrees, true},
    {"velocity", TargetQuantity::velocity, &ranges::kJointVelocity, false},
    {"effort", TargetQuantity::effort, &ranges::kEffort, false},
};

constexpr QuantityKey<WheelQuantity> kDriveKeys[] = {
    {"speed", WheelQuantity::rate, &ranges::kAngularVelocity, false},
    {"ground_speed", WheelQuantity::ground_speed, &ranges::kVelocity, false},
};

constexpr QuantityKey<WheelQuantity> kSteerKeys[] = {
    {"angle", WheelQuantity::steer, &ranges::kJointPosition, false},
    {"angle_deg", WheelQuantity::steer, &ranges::kJointDegrees, true},
};

constexpr QuantityKey<EventQuantity> kJointEventKeys[] = {
    {"position", EventQuantity::joint_position, &ranges::kJointPosition, false},
    {"position_deg", EventQuantity::joint_position, &ranges::kJointDegrees, true},
    {"velocity", EventQuantity::joint_velocity, &ranges::kJointVelocity, false},
};

constexpr QuantityKey<EventQuantity> kBodyEventKeys[] = {
    {"x", EventQuantity::body_x, &ranges::kPosition, false},
    {"y", EventQuantity::body_y, &ranges::kPosition, false},
    {"z", EventQuantity::body_z, &ranges::kPosition, false},
    {"contact_force", EventQuantity::contact_force, &ranges::kTension, false},
};

constexpr QuantityKey<EventQuantity> kTetherEventKeys[] = {
    {"tension", EventQuantity::tether_tension, &ranges::kTension, false},
};

/// The one of `keys` that the map holds, and its value.
template <class Quantity>
std::pair<const QuantityKey<Quantity>*, const YamlValue*> find_quantity(
    MapReader& map, std::span<const QuantityKey<Quantity>> keys) {
  std::vector<std::string_view> names;
  for (const auto& key : keys) names.push_back(key.key);
  const auto present = map.exactly_one_of(names);
  if (!present) return {nullptr, nullptr};
  for (const auto& key : keys) {
    if (key.key == *present) return {&key, map.find(key.key)};
  }
  return {nullptr, nullptr};
}

/// Reads the signal under the one of `keys` that is present.
template <class Quantity>
std::optional<Signal> read_quantity(MapReader& map, std::span<const QuantityKey<Quantity>> keys,
                                    Quantity& quantity, bool& in_degrees) {
  const auto [key, value] = find_quantity(map, keys);
  if (value == nullptr) return std::nullopt;
  quantity = key->quantity;
  in_degrees = key->in_degrees;
  return read_signal(*value, *key->range, in_degrees ? kDegree : 1, map.issues());
}

void read_joint_command(MapReader& map, bool by_joint, SceneData& scene) {
  JointCommandData command;
  command.by_joint = by_joint;
  const auto subject = map.reference(by_joint ? "joint" : "actuator");
  const auto signal =
      read_quantity<TargetQuantity>(map, kJointKeys, command.quantity, command.in_degrees);
  if (!subject || !signal) return;
  command.subject = *subject;
  command.signal = *signal;
  scene.joint_commands.push_back(std::move(command));
}

void read_wheel_command(MapReader& map, bool steering, SceneData& scene) {
  WheelCommandData command;
  command.place = map.place();
  command.rover = map.reference("rover");
  if (const YamlValue* wheels = map.find(steering ? "steer" : "wheels")) {
    command.wheels = read_wheel_names(*wheels, map.issues());
  }
  bool in_degrees = false;
  const auto signal =
      steering ? read_quantity<WheelQuantity>(map, kSteerKeys, command.quantity, in_degrees)
               : read_quantity<WheelQuantity>(map, kDriveKeys, command.quantity, in_degrees);
  if (!signal) return;
  command.signal = *signal;
  scene.wheel_commands.push_back(std::move(command));
}

std::vector<Eigen::Vector2d> read_waypoints(MapReader& map) {
  std::vector<Eigen::Vector2d> waypoints;
  const YamlValue* list = map.require("waypoints");
  if (list == nullptr) return waypoints;
  if (list->kind != YamlValue::Kind::list || list->items.empty()) {
    map.issues().add(issue_at(list->place, "must be a list of points [x, y]", list->shown()));
  }
  for (const YamlValue& item : list->items) {
    const auto xy = read_numbers(item, ranges::kPosition, 2, 2, map.issues());
    if (xy) waypoints.emplace_back((*xy)[0], (*xy)[1]);
  }
  return waypoints;
}

void read_path(const YamlValue& value, IssueList& issues, SceneData& scene) {
  constexpr std::pair<std::string_view, SteeringMode> kModes[] = {
      {"ackermann", SteeringMode::ackermann},
      {"crab", SteeringMode::crab},
      {"point_turn", SteeringMode::point_turn},
  };
  MapReader map(value, issues);
  PathCommandData command;
  command.place = map.place();
  command.rover = map.reference("rover");
  PathPlan& plan = command.law.plan;
  plan.waypoints = read_waypoints(map);
  plan.mode = map.choice<SteeringMode>("mode", kModes).value_or(plan.mode);
  plan.speed = map.number("speed", ranges::kDriveSpeed, plan.speed);
  plan.turn_rate = map.number("turn_rate", ranges::kTurnRate, plan.turn_rate);
  plan.lookahead = map.number("lookahead", ranges::kLength, plan.lookahead);
  plan.tolerance = map.number("tolerance", ranges::kLength, plan.tolerance);
  plan.heading_tolerance =
      map.number("heading_tolerance", ranges::kHeading, plan.heading_tolerance);
  command.law.start_time = map.number("start_time", ranges::kTimeOrZero, command.law.start_time);
  command.law.rate_hz = map.number("rate_hz", ranges::kRate, command.law.rate_hz);
  map.finish();
  scene.path_commands.push_back(std::move(command));
}

void read_command(const YamlValue& item, IssueList& issues, SceneData& scene) {
  constexpr std::string_view kKinds[] = {"joint", "actuator", "wheels", "steer", "path"};
  MapReader map(item, issues);
  const auto kind = map.exactly_one_of(kKinds);
  if (!kind) return;
  if (*kind == "path") {
    if (const YamlValue* path = map.find("path")) read_path(*path, issues, scene);
  } else if (*kind == "joint" || *kind == "actuator") {
    read_joint_command(map, *kind == "joint", scene);
  } else {
    read_wheel_command(map, *kind == "steer", scene);
  }
  map.finish();
}

void read_event(const YamlValue& item, IssueList& issues, SceneData& scene) {
  constexpr std::string_view kSubjects[] = {"joint", "body", "tether"};
  constexpr std::pair<std::string_view, int> kDirections[] = {
      {"rising", 1}, {"falling", -1}, {"both", 0}};
  MapReader map(item, issues);
  EventData event;
  event.place = map.place();
  map.require("name");
  event.law.name = map.name("name").value_or("");
  event.law.direction = map.choice<int>("direction", kDirections).value_or(0);
  event.law.stop = map.flag("stop", false);
  const auto subject = map.exactly_one_of(kSubjects);
  if (!subject) return;
  event.subject = map.reference(*subject).value_or(PlacedName{});
  const auto [key, value] = *subject == "joint" ? find_quantity<EventQuantity>(map, kJointEventKeys)
                            : *subject == "body"
                                ? find_quantity<EventQuantity>(map, kBodyEventKeys)
                                : find_quantity<EventQuantity>(map, kTetherEventKeys);
  map.finish();
  if (value == nullptr) return;
  event.law.quantity = key->quantity;
  event.in_degrees = key->in_degrees;
  const double scale = event.in_degrees ? kDegree : 1;
  event.law.threshold = read_number(*value, *key->range, issues).value_or(0) * scale;
  scene.events.push_back(std::move(event));
}

}  // namespace

void read_commands(MapReader& map, SceneData& scene) {
  for (const YamlValue& item : map.list("commands")) read_command(item, map.issues(), scene);
}

void read_events(MapReader& map, SceneData& scene) {
  for (const YamlValue& item : map.list("events")) read_event(item, map.issues(), scene);
}

}  // namespace grouser::internal
