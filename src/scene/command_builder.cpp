#include "scene/command_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "scene/wheel_finder.h"
#include "scene/yaml_reader.h"

namespace grouser::internal {
namespace {

Signal scaled(Signal signal, double factor) {
  if (auto* constant = std::get_if<ConstantSignal>(&signal)) constant->value *= factor;
  if (auto* sine = std::get_if<SineSignal>(&signal)) {
    sine->amplitude *= factor;
    sine->offset *= factor;
  }
  if (auto* table = std::get_if<TableSignal>(&signal)) {
    for (double& value : table->value) value *= factor;
    prepare(signal);
  }
  return signal;
}

class CommandBuilder {
 public:
  CommandBuilder(const std::vector<Rover>& rovers, Assembly& assembly)
      : rovers_(rovers), assembly_(assembly), actuators_(assembly.spec.actuators) {}

  void add(const JointCommandData& data) {
    const PlacedName& subject = data.subject;
    std::optional<int> actuator;
    if (data.by_joint) {
      const auto found = assembly_.resolve_coordinate(subject, {});
      if (found) actuator = actuator_on(found->dof, subject);
    } else {
      actuator = assembly_.actuators.resolve(subject, {}, assembly_.issues);
    }
    if (!actuator) return;
    const int dof = actuators_[static_cast<std::size_t>(*actuator)].dof;
    if (data.in_degrees && dof >= 0 && !coordinate(dof).is_angle) {
      report(subject.place, "slides: give metres, not degrees");
      return;
    }
    command(*actuator, data.quantity, data.signal, subject.place);
  }

  void add(const WheelCommandData& data) {
    const auto rover = find_rover(rovers_, data.rover, data.place, assembly_.issues);
    if (!rover) return;
    const bool steering = data.quantity == WheelQuantity::steer;
    const Rover& driven = rovers_[*rover];
    for (const Wheel* wheel :
         find_wheels(driven, data.wheels, steering, data.place, assembly_.issues)) {
      const PlacedName subject{wheel->name, data.place};
      const int dof = steering ? wheel->steer_dof : wheel->drive_dof;
      if (dof < 0) {
        report(data.place, fmt::format("the wheel '{}' cannot be steered", wheel->name));
        continue;
      }
      // Forward and left are positive, whichever way the joint's axis points.
      const Vec3 positive = steering ? Vec3::UnitZ() : Vec3::UnitY();
      double factor = assembly_.axis_along(dof, rovers_[*rover].chassis, positive) < 0 ? -1 : 1;
      if (data.quantity == WheelQuantity::ground_speed) factor /= wheel->radius;
      if (const auto actuator = actuator_on(dof, subject)) {
        command(*actuator, steering ? TargetQuantity::position : TargetQuantity::velocity,
                scaled(data.signal, factor), data.place);
      }
    }
  }

  void add(const PathCommandData& data) {
    const auto rover = find_rover(rovers_, data.rover, data.place, assembly_.issues);
    if (!rover) return;
    if (rovers_[*rover].wheels.empty()) report(data.place, "the rover has no wheels");
    for (const Wheel& wheel : rovers_[*rover].wheels) {
      claim(wheel.drive_dof, ActuatorType::velocity, wheel, data.place);
      if (wheel.steer_dof >= 0) claim(wheel.steer_dof, ActuatorType::position, wheel, data.place);
    }
    PathCommand path = data.law;
    path.rover = static_cast<int>(*rover);
    commands_.path_commands.push_back(std::move(path));
  }

  /// Starts prescribed joints on their way and reports commands that do not fit together.
  Commands finish() {
    for (const auto& [key, place] : commanded_) {
      const auto& [actuator, quantity] = key;
      const ActuatorType type = actuators_[static_cast<std::size_t>(actuator)].type;
      if (quantity != TargetQuantity::velocity) continue;
      const bool has_position = commanded_.contains({actuator, TargetQuantity::position});
      if (type == ActuatorType::position && !has_position) {
        report(place, "a position actuator needs a position besides the velocity");
      }
      if (type == ActuatorType::prescribed && has_position) {
        report(place, "prescribe either position or velocity, not both");
      }
    }
    // A position brings its rate along; a velocity given besides must come after it.
    std::ranges::stable_sort(commands_.joint_commands, {}, &JointCommand::quantity);
    for (const JointCommand& command : commands_.joint_commands) start_prescribed(command);
    return std::move(commands_);
  }

 private:
  void report(const Place& place, std::string message, std::string value = {}) {
    assembly_.issues.add(issue_at(place, std::move(message), std::move(value)));
  }

  std::optional<int> actuator_on(int dof, const PlacedName& subject) {
    const auto found = std::ranges::find(actuators_, dof, &Actuator::dof);
    if (found != actuators_.end()) return static_cast<int>(found - actuators_.begin());
    report(subject.place, "the joint has no actuator to command", subject.text);
    return std::nullopt;
  }

  void command(int actuator, TargetQuantity quantity, Signal signal, const Place& place) {
    const Actuator& target = actuators_[static_cast<std::size_t>(actuator)];
    if (!takes(target.type, quantity)) {
      report(place, fmt::format("the {} actuator '{}' takes no {}", to_string(target.type),
                                target.name, to_string(quantity)));
      return;
    }
    const auto* table = std::get_if<TableSignal>(&signal);
    if (target.type == ActuatorType::prescribed && quantity == TargetQuantity::position &&
        table != nullptr && table->curve == TableCurve::hold) {
      report(place, "a prescribed position must not jump: use linear or smooth interpolation");
      return;
    }
    const auto [other, is_new] = commanded_.emplace(std::pair(actuator, quantity), place);
    if (!is_new || on_path_.contains(actuator)) {
      report(place, fmt::format("the actuator '{}' is already commanded in line {}", target.name,
                                is_new ? on_path_.at(actuator).line : other->second.line));
      return;
    }
    commands_.joint_commands.push_back({actuator, quantity, std::move(signal)});
  }

  void claim(int dof, ActuatorType wanted, const Wheel& wheel, const Place& place) {
    const auto actuator = actuator_on(dof, {wheel.name, place});
    if (!actuator) return;
    const Actuator& target = actuators_[static_cast<std::size_t>(*actuator)];
    if (target.type != wanted) {
      report(place, fmt::format("to follow a path, '{}' must be a {} actuator", target.name,
                                to_string(wanted)));
    }
    const auto taken = std::ranges::find_if(
        commanded_, [&](const auto& entry) { return entry.first.first == *actuator; });
    if (taken != commanded_.end()) {
      report(place, fmt::format("the actuator '{}' is already commanded in line {}", target.name,
                                taken->second.line));
    } else if (!on_path_.emplace(*actuator, place).second) {
      report(place, "the rover already follows a path");
    }
  }

  const Coordinate& coordinate(int dof) const {
    return assembly_.coordinates[static_cast<std::size_t>(dof)];
  }

  void start_prescribed(const JointCommand& command) {
    const Actuator& actuator = actuators_[static_cast<std::size_t>(command.actuator)];
    if (actuator.type != ActuatorType::prescribed || actuator.dof < 0) return;
    const SignalValue start = evaluate(command.signal, 0);
    const auto dof = static_cast<std::size_t>(actuator.dof);
    if (command.quantity == TargetQuantity::velocity) {
      assembly_.v[dof] = start.value;
      return;
    }
    const auto position = static_cast<std::size_t>(coordinate(actuator.dof).position);
    if (assembly_.q_given[position] != 0 && assembly_.q[position] != start.value) {
      report(commanded_.at({command.actuator, TargetQuantity::position}),
             "the prescribed position at time 0 is not the initial position given for the joint");
    }
    assembly_.q[position] = start.value;
    assembly_.v[dof] = start.rate;
  }

  const std::vector<Rover>& rovers_;
  Assembly& assembly_;
  const std::vector<Actuator>& actuators_;
  Commands commands_;
  std::map<std::pair<int, TargetQuantity>, Place> commanded_;
  std::map<int, Place> on_path_;  ///< actuators that follow a path
};

}  // namespace

Commands make_commands(const SceneData& scene, const std::vector<Rover>& rovers,
                       Assembly& assembly) {
  CommandBuilder builder(rovers, assembly);
  for (const JointCommandData& command : scene.joint_commands) builder.add(command);
  for (const WheelCommandData& command : scene.wheel_commands) builder.add(command);
  for (const PathCommandData& command : scene.path_commands) builder.add(command);
  return builder.finish();
}

std::vector<EventSpec> make_events(const SceneData& scene, Assembly& assembly) {
  std::vector<EventSpec> events;
  std::set<std::string> names;
  for (const EventData& data : scene.events) {
    EventSpec event = data.law;
    const auto report = [&](std::string why) {
      assembly.issues.add(issue_at(data.place, std::move(why)));
    };
    if (!event.name.empty() && !names.insert(event.name).second) {
      report(fmt::format("the event name '{}' is used twice", event.name));
    }
    if (data.subject.text.empty()) continue;
    std::optional<int> index;
    switch (event.quantity) {
      case EventQuantity::joint_position:
      case EventQuantity::joint_velocity: {
        const auto coordinate = assembly.resolve_coordinate(data.subject, {});
        if (coordinate) index = coordinate->dof;
        if (coordinate && data.in_degrees && !coordinate->is_angle) {
          report("the joint slides: give metres, not degrees");
        }
        break;
      }
      case EventQuantity::tether_tension:
        index = assembly.tethers.resolve(data.subject, {}, assembly.issues);
        break;
      default:
        index = assembly.bodies.resolve(data.subject, {}, assembly.issues);
        break;
    }
    if (!index) continue;
    event.index = *index;
    events.push_back(std::move(event));
  }
  return events;
}

}  // namespace grouser::internal
