#include "scene/mission_builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/index.h"
#include "math/angle.h"
#include "scene/command_builder.h"
#include "scene/wheel_finder.h"

namespace grouser::internal {
namespace {

int actuator_on_dof(const Assembly& assembly, int dof) {
  const auto& actuators = assembly.spec.actuators;
  const auto found = std::ranges::find(actuators, dof, &Actuator::dof);
  return dof < 0 || found == actuators.end() ? -1 : static_cast<int>(found - actuators.begin());
}

/// The actuators that a motor stands behind.
std::vector<int> motor_actuators(const MotorData& motor, const Rover& rover,
                                 const Assembly& assembly) {
  std::vector<int> found;
  if (motor.on != "drives" && motor.on != "steering") {
    const auto actuator =
        assembly.actuators.resolve({motor.on, motor.place}, rover.name, assembly.issues);
    if (actuator) found.push_back(*actuator);
    return found;
  }
  for (const Wheel& wheel : rover.wheels) {
    const int dof = motor.on == "drives" ? wheel.drive_dof : wheel.steer_dof;
    const int actuator = actuator_on_dof(assembly, dof);
    if (actuator >= 0) found.push_back(actuator);
  }
  if (found.empty()) {
    assembly.issues.add(issue_at(motor.place, "the rover has no such actuators", motor.on));
  }
  return found;
}

void add_motor(const MotorData& motor, const Rover& rover, Assembly& assembly, RoverPower& power) {
  const JointLine line = joint_line(motor.spec);
  for (const int actuator : motor_actuators(motor, rover, assembly)) {
    Actuator& limited = assembly.spec.actuators[at(actuator)];
    if (std::ranges::find(power.actuators, actuator) != power.actuators.end()) {
      assembly.issues.add(issue_at(
          motor.place, fmt::format("the actuator '{}' has a motor already", limited.name)));
      continue;
    }
    limited.stall_effort = line.stall_torque;
    limited.no_load_speed = line.no_load_speed;
    power.actuators.push_back(actuator);
    power.spec.motors.push_back(motor.spec);
  }
}

/// Resolves one activity.
class ActivityBuilder {
 public:
  ActivityBuilder(const Rover& rover, const Commands& commands,
                  const std::optional<RoverPower>& power, Assembly& assembly, Mission& mission)
      : rover_(rover), commands_(commands), power_(power), assembly_(assembly), mission_(mission) {}

  void add(const ActivityData& data) {
    Activity activity = data.law;
    if (activity.kind == ActivityKind::drive) check_drive(data);
    for (const JointMoveData& move : data.moves) add_move(move, activity);
    activity.goal_within = data.goal_within.value_or(
        activity.kind == ActivityKind::drive ? 2 * activity.path.tolerance : kJointError);
    activity.time_max = data.time_max.value_or(0);
    const bool needs_charge =
        activity.kind != ActivityKind::wait && activity.kind != ActivityKind::night;
    if (power_ && needs_charge && !activity.battery_min) {
      activity.battery_min = 1 - power_->spec.battery.max_depth;
    }
    if (!power_) check_without_power(data);
    mission_.activities.push_back(std::move(activity));
  }

 private:
  static constexpr double kJointError = 0.05;  // [rad], [m]

  void report(const Place& place, std::string message, std::string value = {}) {
    assembly_.issues.add(issue_at(place, std::move(message), std::move(value)));
  }

  void check_without_power(const ActivityData& data) {
    if (data.law.battery_min) report(data.place, "'battery_min' needs the 'power' of a model");
    if (data.law.power > 0) report(data.place, "'power' needs the 'power' of a model");
  }

  void check_drive(const ActivityData& data) {
    if (rover_.wheels.empty()) report(data.place, "the rover has no wheels to drive");
    for (const Wheel& wheel : rover_.wheels) {
      check_actuator(wheel.drive_dof, ActuatorType::velocity, wheel, data.place);
      if (wheel.steer_dof >= 0) {
        check_actuator(wheel.steer_dof, ActuatorType::position, wheel, data.place);
      } else if (data.law.path.mode == SteeringMode::crab) {
        report(data.place,
               fmt::format("the rover cannot crab: its wheel '{}' cannot be steered", wheel.name));
      }
    }
  }

  void check_actuator(int dof, ActuatorType wanted, const Wheel& wheel, const Place& place) {
    const int index = actuator_on_dof(assembly_, dof);
    if (index < 0) {
      report(place,
             fmt::format("the wheel '{}' has no {} actuator", wheel.name, to_string(wanted)));
      return;
    }
    const Actuator& actuator = assembly_.spec.actuators[at(index)];
    if (actuator.type != wanted) {
      report(place,
             fmt::format("to drive, '{}' must be a {} actuator", actuator.name, to_string(wanted)));
    }
    check_free(index, place);
  }

  void check_free(int actuator, const Place& place) {
    const auto same =
        std::ranges::find(commands_.joint_commands, actuator, &JointCommand::actuator);
    if (same == commands_.joint_commands.end()) return;
    report(place, fmt::format("the actuator '{}' is moved by the mission and by a command",
                              assembly_.spec.actuators[at(actuator)].name));
  }

  void add_move(const JointMoveData& data, Activity& activity) {
    if (data.joint.empty()) return;
    std::optional<int> index = assembly_.actuators.find(data.joint, rover_.name);
    if (!index) {
      const auto coordinate = assembly_.resolve_coordinate({data.joint, data.place}, rover_.name);
      if (!coordinate) return;
      index = actuator_on_dof(assembly_, coordinate->dof);
    }
    if (*index < 0) {
      report(data.place, "the joint has no actuator to move it", data.joint);
      return;
    }
    const Actuator& actuator = assembly_.spec.actuators[at(*index)];
    if (!takes(actuator.type, TargetQuantity::position)) {
      report(data.place, fmt::format("the {} actuator '{}' takes no position",
                                     to_string(actuator.type), actuator.name));
    }
    if (is_of_wheel(actuator.dof)) {
      report(data.place, fmt::format("'{}' belongs to a wheel, which drives move", actuator.name));
    }
    if (data.position_deg && actuator.dof >= 0 &&
        !assembly_.coordinates[at(actuator.dof)].is_angle) {
      report(data.place, "slides: give metres, not degrees", data.joint);
    }
    check_free(*index, data.place);
    const double position = data.position_deg ? *data.position_deg * kDegree : *data.position;
    activity.moves.push_back({.actuator = *index,
                              .position = position,
                              .duration = data.duration,
                              .together = data.together});
    if (std::ranges::find(mission_.actuators, *index) == mission_.actuators.end()) {
      mission_.actuators.push_back(*index);
    }
  }

  bool is_of_wheel(int dof) const {
    return std::ranges::any_of(rover_.wheels, [dof](const Wheel& wheel) {
      return wheel.drive_dof == dof || wheel.steer_dof == dof;
    });
  }

  const Rover& rover_;
  const Commands& commands_;
  const std::optional<RoverPower>& power_;
  Assembly& assembly_;
  Mission& mission_;
};

}  // namespace

std::optional<RoverPower> make_power(const SceneData& scene, const std::vector<Rover>& rovers,
                                     Assembly& assembly) {
  std::optional<RoverPower> power;
  for (const ModelData& model : scene.models) {
    if (!model.power) continue;
    if (rovers.empty() || rovers.front().name != model.name.text) {
      assembly.issues.add(
          issue_at(model.power->place, "only the first rover of a scene can have power"));
      continue;
    }
    power = RoverPower{.spec = model.power->spec, .actuators = {}};
    for (const MotorData& motor : model.power->motors) {
      add_motor(motor, rovers.front(), assembly, *power);
    }
  }
  return power;
}

std::vector<OnboardControl> make_onboard(const SceneData& scene, const std::vector<Rover>& rovers,
                                         Assembly& assembly) {
  std::vector<OnboardControl> controls;
  for (const OnboardData& data : scene.controllers) {
    std::optional<PlacedName> name;
    if (!data.rover.empty()) name = PlacedName{data.rover, data.place};
    const auto rover = find_rover(rovers, name, data.place, assembly.issues);
    if (!rover) continue;
    const std::vector<Wheel>& wheels = rovers[*rover].wheels;
    const bool steers = std::ranges::any_of(wheels, [&](const Wheel& wheel) {
      return actuator_on_dof(assembly, wheel.steer_dof) >= 0;
    });
    if (wheels.empty()) assembly.issues.add(issue_at(data.place, "the rover has no wheels"));
    if (data.law.kind == OnboardKind::heading && !steers) {
      assembly.issues.add(issue_at(data.place, "the rover cannot steer its wheels"));
    }
    controls.push_back(data.law);
    controls.back().rover = static_cast<int>(*rover);
  }
  return controls;
}

Mission make_mission(const SceneData& scene, const std::vector<Rover>& rovers,
                     const Commands& commands, const std::optional<RoverPower>& power,
                     Assembly& assembly) {
  if (!scene.mission) return {};
  const MissionData& data = *scene.mission;
  std::optional<PlacedName> name;
  if (!data.rover.empty()) name = PlacedName{data.rover, data.place};
  const auto rover = find_rover(rovers, name, data.place, assembly.issues);
  if (!rover) return {};
  Mission mission = data.law;
  mission.rover = static_cast<int>(*rover);
  if (std::ranges::find(commands.path_commands, mission.rover, &PathCommand::rover) !=
      commands.path_commands.end()) {
    assembly.issues.add(issue_at(data.place, "the rover already follows a path by a command"));
  }
  ActivityBuilder builder(rovers[*rover], commands, power, assembly, mission);
  for (const ActivityData& activity : data.activities) builder.add(activity);
  return mission;
}

}  // namespace grouser::internal
