#pragma once

#include <cmath>
#include <optional>

#include "contact/wheel/wheel_model.h"

namespace grouser::internal {

/// A wheel on a plane that rises along its heading, with a mass on it: semi-implicit Euler, memory committed
/// at each step. Free to travel, or led.
struct RollingWheel {
  WheelModel model;
  WheelForm form{.radius = 0.125, .width = 0.1};
  Soil soil = find_soil("dlr_a");
  double mass = 10;                   ///< [kg]
  double gravity = 9.80665;           ///< [m/s²]
  double slope = 0;                   ///< [rad]
  double step = 1e-3;                 ///< [s]
  std::optional<double> travel, rim;  ///< led speeds [m/s]; else free
  double side = 0;                    ///< speed to the left, led [m/s]
  double inertia = 0.02;              ///< about the axle [kg m²]
  double damping = 0;                 ///< of the motion up and down [N s/m]
  double depth = 0, sinking = 0, speed = 0, rim_speed = 0, way = 0, turned = 0;
  double work = 0;  ///< done on the wheel by the soil [J]
  WheelMemory memory{};
  WheelReaction reaction{};

  WheelSoil prepared() const { return wheel_soil(soil, form, gravity); }
  WheelMotion motion() const {
    return {.depth = depth,
            .depth_rate = sinking,
            .rim = rim.value_or(rim_speed),
            .travel = travel.value_or(speed),
            .side = side,
            .climb = std::sin(slope)};
  }

  void go() {
    const WheelMotion before = motion();
    reaction = wheel_force(model, form, prepared(), before, memory, 0);
    sinking += step * (gravity * std::cos(slope) - (reaction.normal + damping * sinking) / mass);
    speed += step * (reaction.pull / mass - gravity * std::sin(slope));
    rim_speed -= step * reaction.torque * form.radius / inertia;
    depth += step * sinking;
    const WheelMotion now = motion();
    way += step * now.travel;
    turned += step * now.rim / form.radius;
    reaction = wheel_commit(model, form, prepared(), now, step, memory);
    work += step * (reaction.pull * now.travel + reaction.lateral * side -
                    reaction.normal * sinking - reaction.torque * now.rim / form.radius);
  }

  void run(double seconds) {
    for (double t = 0; t < seconds - step / 2; t += step) go();
  }
};

}  // namespace grouser::internal
