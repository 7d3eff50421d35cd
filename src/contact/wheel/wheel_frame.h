#pragma once

#include "contact/wheel/wheel_form.h"
#include "contact/wheel/wheel_state.h"
#include "terrain/elevation_map.h"

namespace grouser::internal {

/// The plane that stands for the ground under a wheel.
struct WheelGround {
  Vec3 point = Vec3::Zero();    ///< on it, below the wheel's middle [m]
  Vec3 normal = Vec3::UnitZ();  ///< unit, upward
};

/// From four heights: half a radius ahead and behind, half a width to either side. Heights, not gradients,
/// so that the plane changes without jumps; what is smaller than the wheel is smoothed.
WheelGround ground_under(const ElevationMap& map, const WheelForm& wheel, const Pose& X_WS);

/// A wheel over its ground: the motion in its axes, and what these are.
struct WheelFrame {
  WheelMotion motion;
  Vec3 heading, side, normal, axle;  ///< unit, axes of W
  double radius = 0;                 ///< from the axle to the middle of the contact [m]
};

/// X_WS has the axle along y and rolls forward by a positive rate about it; V_WS is at its origin, axes of W.
/// `up` is against gravity, unit, or 0. A wheel on its side is not carried: its depth is that of the rim's
/// lowest point.
WheelFrame wheel_frame(const WheelForm& wheel, const Pose& X_WS, const Twist& V_WS,
                       const WheelGround& ground, const Vec3& up);

/// About the wheel's middle, axes of W.
Wrench wrench_of(const WheelFrame& frame, const WheelReaction& reaction);

}  // namespace grouser::internal
