#include "view/hand_drive.h"

#include <algorithm>

namespace grouser::internal {

HandDrive::HandDrive(const World& world) : world_(world) {
  if (!world.rovers.empty()) plan_ = plan_rover(world, world.rovers.front());
}

bool HandDrive::takes_target(int actuator, TargetQuantity quantity) const {
  if (actuator < 0) return false;
  return takes(world_.model.actuators()[static_cast<std::size_t>(actuator)].type, quantity);
}

bool HandDrive::is_possible() const {
  return std::ranges::any_of(plan_.drive_actuator, [this](int actuator) {
    return takes_target(actuator, TargetQuantity::velocity);
  });
}

void HandDrive::drive(Simulation& simulation, double speed, double curvature) {
  wheel_commands(plan_.wheels, {.vx = speed, .vy = 0, .wz = speed * curvature}, plan_.commands);
  for (std::size_t w = 0; w < plan_.wheels.size(); ++w) {
    const WheelCommand& command = plan_.commands[w];
    const int drive = plan_.drive_actuator[w], steer = plan_.steer_actuator[w];
    if (takes_target(drive, TargetQuantity::velocity)) {
      simulation.set_target({drive}, TargetQuantity::velocity, plan_.drive_sign[w] * command.speed);
    }
    if (takes_target(steer, TargetQuantity::position)) {
      simulation.set_target({steer}, TargetQuantity::position, plan_.steer_sign[w] * command.steer);
    }
  }
}

void HandDrive::release(Simulation& simulation) {
  for (const std::vector<int>* actuators : {&plan_.drive_actuator, &plan_.steer_actuator}) {
    for (const int actuator : *actuators) {
      if (actuator >= 0) simulation.release({actuator});
    }
  }
}

}  // namespace grouser::internal
