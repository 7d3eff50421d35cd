#pragma once

#include "sim/evaluate.h"

namespace grouser::internal {

/// How fast a wheel turns and goes, as encoders and visual odometry would tell.
struct WheelSpeed {
  double rim = 0;     ///< rate times radius, forward positive [m/s]
  double ground = 0;  ///< of the hub, where the wheel heads [m/s]
};

/// Of a wheel of a rover; the kinematics in the scratch must be those of the state.
WheelSpeed wheel_speed(const World& world, const Rover& rover, const RoverPlan& plan,
                       std::size_t wheel, const State& state, const Kinematics& kinematics);

}  // namespace grouser::internal
