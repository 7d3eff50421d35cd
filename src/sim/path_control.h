#pragma once

#include <memory>
#include <vector>

#include "sim/controller.h"
#include "sim/evaluate.h"

namespace grouser::internal {

/// Where a rover is, from above. Moves the kinematics.
PlanarPose chassis_pose(const World& world, const Rover& rover, const State& state,
                        WorldScratch& scratch);

/// Wheel commands for a twist of the chassis. `held`: steer and speed of each wheel, as they were and as they will be.
void drive_wheels(RoverPlan& rover, const PlanarTwist& twist, double* held);

/// The path followers of a World; what they hold is in State::memory. Both must outlive them.
std::vector<std::unique_ptr<SampledController>> path_controllers(const World& world,
                                                                 WorldScratch& scratch);

}  // namespace grouser::internal
