#pragma once

#include <vector>

#include "sim/world.h"

namespace grouser::internal {

/// What driving a rover needs to know of its wheels, read off the model at zero joint positions.
struct RoverPlan {
  std::vector<WheelPlan> wheels;
  std::vector<double> drive_sign;      ///< +1 if the drive joint turns about +y (forward), else -1
  std::vector<double> steer_sign;      ///< +1 if the steering joint turns about +z (left), else -1
  std::vector<int> drive_actuator;     ///< index, or -1
  std::vector<int> steer_actuator;     ///< index, or -1
  std::vector<WheelCommand> commands;  ///< work space, one per wheel
};

RoverPlan plan_rover(const World& world, const Rover& rover);

/// Index of the actuator on a velocity index, or -1.
int actuator_of_dof(const Model& model, int dof);

}  // namespace grouser::internal
