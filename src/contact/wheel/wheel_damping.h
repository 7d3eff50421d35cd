#pragma once

#include "contact/wheel/wheel_model.h"

namespace grouser::internal {

/// How a wheel's reaction resists its motion, for implicit steps. Estimates, each >= 0; steady motion does not depend
/// on them.
struct WheelDamping {
  double normal = 0;   ///< of the normal force against the speed of rising [N s/m]
  double pull = 0;     ///< of the pull against the speed of sliding forward over the soil [N s/m]
  double lateral = 0;  ///< of the lateral force against the speed to the side [N s/m]
};

/// At a reaction of wheel_force() with the same arguments, by finite differences: a speed of rising u also lifts the
/// wheel by u · reach [s], so that `normal` has the stiffness of the elastic line too. None in the air.
WheelDamping wheel_damping(const WheelModel& model, const WheelForm& wheel, const WheelSoil& soil,
                           const WheelMotion& motion, const WheelMemory& memory, double dt,
                           const WheelReaction& reaction, double reach);

}  // namespace grouser::internal
