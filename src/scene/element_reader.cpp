#include "scene/element_reader.h"

#include <fmt/format.h>

namespace grouser::internal {
namespace {

enum class LoopType { ball, hinge, distance, coupling, differential, gear };

constexpr std::pair<std::string_view, LoopType> kLoopTypes[] = {
    {"ball", LoopType::ball},
    {"hinge", LoopType::hinge},
    {"distance", LoopType::distance},
    {"coupling", LoopType::coupling},
    {"differential", LoopType::differential},
    {"gear", LoopType::gear},
};

constexpr std::pair<std::string_view, ActuatorType> kActuatorTypes[] = {
    {"torque", ActuatorType::torque},
    {"velocity", ActuatorType::velocity},
    {"position", ActuatorType::position},
    {"prescribed", ActuatorType::prescribed},
};

/// The element's name, or `fallback`, at the element's place.
PlacedName optional_name(MapReader& map, std::string fallback = {}) {
  return {map.name("name").value_or(std::move(fallback)), map.place()};
}

PlacedName required_name(MapReader& map) {
  map.require("name");
  return optional_name(map);
}

PointData read_point(MapReader& map, std::string_view key) {
  PointData point;
  const YamlValue* value = map.require(key);
  if (value == nullptr) return point;
  MapReader entry(*value, map.issues());
  point.body = entry.required_reference("body").value_or(PlacedName{});
  const bool on_world = point.body.text == kWorldName;
  point.p_B =
      entry.vector("position", on_world ? ranges::kPosition : ranges::kOffset, Vec3::Zero());
  entry.finish();
  return point;
}

/// joints: {left: 1, right: -1}
CouplingData read_coupling(MapReader& map) {
  CouplingData coupling;
  coupling.offset = map.number("offset", ranges::kJointPosition, 0);
  const YamlValue* joints = map.require("joints");
  if (joints == nullptr) return coupling;
  if (joints->kind != YamlValue::Kind::map || joints->items.empty()) {
    map.issues().add(issue_at(joints->place, "must be a map of joints and factors", joints->shown(),
                              "{left: 1, right: -1}"));
    return coupling;
  }
  for (std::size_t i = 0; i < joints->items.size(); ++i) {
    const YamlValue& value = joints->items[i];
    const double factor = read_number(value, ranges::kFactor, map.issues()).value_or(1);
    if (factor == 0) map.issues().add(issue_at(value.place, "must not be zero"));
    coupling.terms.push_back({{joints->keys[i], value.place}, factor});
  }
  return coupling;
}

/// joints: [left, right] turn against each other by the same angle.
CouplingData read_differential(MapReader& map) {
  CouplingData coupling;
  const YamlValue* joints = map.require("joints");
  if (joints == nullptr) return coupling;
  if (joints->kind != YamlValue::Kind::list || joints->items.size() != 2) {
    map.issues().add(issue_at(joints->place, "must be a list of two joints", joints->shown()));
    return coupling;
  }
  for (const YamlValue& item : joints->items) {
    if (auto joint = read_reference(item, map.issues())) {
      coupling.terms.push_back({*std::move(joint), 1});
    }
  }
  return coupling;
}

/// driven = ratio · driver + offset
CouplingData read_gear(MapReader& map) {
  CouplingData coupling;
  coupling.offset = map.number("offset", ranges::kJointPosition, 0);
  auto driven = map.required_reference("driven");
  auto driver = map.required_reference("driver");
  const double ratio = map.required_number("ratio", ranges::kFactor).value_or(1);
  if (ratio == 0) map.error("the ratio must not be zero");
  if (driven && driver) coupling.terms = {{*driven, 1}, {*driver, -ratio}};
  return coupling;
}

LoopData read_loop(const YamlValue& value, IssueList& issues) {
  MapReader map(value, issues);
  LoopData loop;
  loop.name = required_name(map);
  const YamlValue* type_value = map.require("type");
  if (type_value == nullptr) return loop;
  const auto type = read_choice<LoopType>(*type_value, kLoopTypes, issues);
  if (!type) return loop;
  switch (*type) {
    case LoopType::ball:
      loop.law = BallData{read_point(map, "a"), read_point(map, "b")};
      break;
    case LoopType::hinge: {
      HingeData hinge{read_point(map, "a"), read_point(map, "b")};
      map.require("axis_a");
      hinge.axis_a = map.axis("axis_a").value_or(Vec3::UnitZ());
      hinge.axis_b = map.axis("axis_b").value_or(hinge.axis_a);
      loop.law = hinge;
      break;
    }
    case LoopType::distance:
      loop.law = DistanceData{read_point(map, "a"), read_point(map, "b"),
                              map.required_number("length", ranges::kLength).value_or(1)};
      break;
    case LoopType::coupling:
      loop.law = read_coupling(map);
      break;
    case LoopType::differential:
      loop.law = read_differential(map);
      break;
    case LoopType::gear:
      loop.law = read_gear(map);
      break;
  }
  map.finish();
  return loop;
}

ActuatorData read_actuator(const YamlValue& value, IssueList& issues) {
  MapReader map(value, issues);
  ActuatorData actuator;
  actuator.name = optional_name(map);
  actuator.joint = map.required_reference("joint").value_or(PlacedName{});
  const YamlValue* type_value = map.require("type");
  const auto type = type_value != nullptr
                        ? read_choice<ActuatorType>(*type_value, kActuatorTypes, issues)
                        : std::nullopt;
  actuator.max_effort = map.number("max_effort", ranges::kMaxEffort);
  actuator.kp = map.number("kp", ranges::kJointStiffness, 0);
  actuator.kd = map.number("kd", ranges::kJointDamping, 0);
  map.finish();
  if (!type) return actuator;
  actuator.type = *type;
  const bool has_kp = *type == ActuatorType::position;
  const bool has_kd = has_kp || *type == ActuatorType::velocity;
  const std::string why = fmt::format("has no effect on a {} actuator", to_string(*type));
  if (!has_kp) map.refuse("kp", why);
  if (!has_kd) map.refuse("kd", why);
  if (*type == ActuatorType::prescribed) map.refuse("max_effort", why);
  if (has_kp) map.require("kp");
  if (has_kd && !has_kp) map.require("kd");
  return actuator;
}

SpringData read_spring(const YamlValue& value, IssueList& issues) {
  MapReader map(value, issues);
  SpringData spring;
  spring.name = required_name(map);
  spring.a = read_point(map, "a");
  spring.b = read_point(map, "b");
  spring.stiffness = map.required_number("stiffness", ranges::kStiffness).value_or(0);
  spring.damping = map.number("damping", ranges::kDamping, 0);
  spring.rest_length = map.required_number("rest_length", ranges::kLengthOrZero).value_or(0);
  map.finish();
  return spring;
}

TetherData read_tether(const YamlValue& value, IssueList& issues) {
  MapReader map(value, issues);
  TetherData tether;
  tether.name = required_name(map);
  tether.a = read_point(map, "a");
  tether.b = read_point(map, "b");
  Tether& law = tether.law;
  law.stiffness = map.required_number("stiffness", ranges::kTetherStiffness).value_or(1);
  law.damping = map.number("damping", ranges::kDamping, 0);
  law.length = map.required_number("length", ranges::kLengthOrZero).value_or(0);
  law.rate = map.number("rate", ranges::kVelocity, 0);
  law.rate_start = map.number("rate_start", ranges::kTimeOrZero, 0);
  law.rate_end = map.number("rate_end", ranges::kTimeOrZero, law.rate_end);
  if (law.rate_end < law.rate_start) map.error("rate_end must not be before rate_start");
  map.finish();
  return tether;
}

WheelData read_wheel(const YamlValue& value, IssueList& issues) {
  MapReader map(value, issues);
  WheelData wheel;
  wheel.body = map.required_reference("body").value_or(PlacedName{});
  wheel.name = optional_name(map, wheel.body.text);
  wheel.drive = map.required_reference("drive").value_or(PlacedName{});
  wheel.steer = map.reference("steer");
  wheel.radius = map.required_number("radius", ranges::kLength).value_or(1);
  wheel.width = map.required_number("width", ranges::kLength).value_or(1);
  wheel.p_B = map.vector("position", ranges::kOffset, Vec3::Zero());
  map.finish();
  return wheel;
}

template <class T>
std::vector<T> read_each(MapReader& map, std::string_view key,
                         T (*read)(const YamlValue&, IssueList&)) {
  std::vector<T> elements;
  for (const YamlValue& item : map.list(key)) elements.push_back(read(item, map.issues()));
  return elements;
}

}  // namespace

ElementsData read_elements(MapReader& map) {
  return {.loops = read_each(map, "loops", read_loop),
          .actuators = read_each(map, "actuators", read_actuator),
          .springs = read_each(map, "springs", read_spring),
          .tethers = read_each(map, "tethers", read_tether)};
}

RoverData read_rover(MapReader& map) {
  RoverData rover;
  rover.chassis = map.reference("chassis");
  rover.wheels = read_each(map, "wheels", read_wheel);
  if (!rover.wheels.empty() && !rover.chassis) map.require("chassis");
  return rover;
}

}  // namespace grouser::internal
