#pragma once

#include "contact/wheel/wheel_form.h"
#include "contact/wheel/wheel_state.h"

namespace grouser::internal {

/// A wheel on a spring and damper, k = dW/dz of Bekker's wheel under its share of the rover's weight, with
/// stiction by control logic: while it sticks, a PID controller holds the point of the rim that touched
/// until that takes more than μ_s N; then friction is μ N tanh(v/v_d); it sticks again once it has slid
/// slower than v_lim for 20 ms, from the force it then had. μ = tan φ. The gains follow from k and the mass:
/// P = k, D = 2 ζ √(k m), I = P √(k/m)/10. Form ours.
struct RheologicalModel {
  double mass = 0;               ///< that the wheel carries [kg]; 0: an equal share of the rover's
  double damping_ratio = 0.7;    ///< ζ [-], > 0
  double static_friction = 1.1;  ///< μ_s/μ [-], >= 1
  double slide_speed = 0.02;     ///< v_d [m/s], > 0
  double stick_speed = 0.03;     ///< v_lim [m/s], > 0
  /// At which viscous resistance to rolling is Bekker's resistance of compaction [m/s], > 0.
  double rolling_speed = 0.1;
};

WheelReaction react(const RheologicalModel& model, const WheelForm& wheel, const WheelSoil& soil,
                    const WheelMotion& motion, double dt, WheelMemory& memory);

}  // namespace grouser::internal
