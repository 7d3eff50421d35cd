#pragma once

#include "math/spatial.h"

namespace grouser::internal {

/// How a wheel stands in the ground and moves over it, in the axes of the ground under it: heading
/// (forward, along the ground), side (left, along the ground) and normal (up).
struct WheelMotion {
  double depth = 0;       ///< of the rim below the untouched ground [m]; < 0 in the air
  double depth_rate = 0;  ///< [m/s], positive sinking
  double rim = 0;         ///< ω r: speed of the rim, forward positive [m/s]
  double travel = 0;      ///< v_x of the wheel's middle along the heading [m/s]
  double side = 0;        ///< v_y along the side [m/s]
  double climb = 0;       ///< sin α of the heading above the horizon [-]
};

/// Of the soil on the wheel, in the same axes.
struct WheelReaction {
  double pull = 0;     ///< along the heading, at the axle [N]
  double lateral = 0;  ///< along the side, where the wheel touches [N]
  double normal = 0;   ///< upward, at the axle [N]
  double torque = 0;   ///< that the drive needs, forward positive [N m]
  double sinkage = 0;  ///< h, of the rim without grousers [m], >= 0
};

/// What a wheel remembers between accepted steps; each model uses a part of it, the rest stays 0. Lengths
/// fade as the wheel travels on to fresh soil.
struct WheelMemory {
  double sunk = 0;  ///< how far the soil below stays sunk once unloaded [m], >= 0
  double dug = 0;   ///< z_s: slip sinkage [m], >= 0
  Vec2 shear =
      Vec2::Zero();  ///< of the soil under the wheel, forward and left [m]; bwr: way of the wheel
  double rim = 0;    ///< bwr: way of the rim [m]
  /// How much of the soil's resistance to travel is built up, along and across the heading, -1 ... 1.
  Vec2 bow = Vec2::Zero();
  Vec2 held = Vec2::Zero();  ///< rheological: integral of `shear` while it sticks [m s]
  double sliding = 0;        ///< rheological: 1 if it slides, 0 if it sticks
  double slow = 0;           ///< rheological: how long it has slid slowly [s]

  friend bool operator==(const WheelMemory& a, const WheelMemory& b) {
    return a.sunk == b.sunk && a.dug == b.dug && a.shear == b.shear && a.rim == b.rim &&
           a.bow == b.bow && a.held == b.held && a.sliding == b.sliding && a.slow == b.slow;
  }
};

}  // namespace grouser::internal
