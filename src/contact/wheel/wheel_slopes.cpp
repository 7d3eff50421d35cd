#include "contact/wheel/wheel_slopes.h"

#include <algorithm>

namespace grouser {

WheelSlopes wheel_slopes(const WheelModel& model, const WheelForm& wheel, const WheelSoil& soil,
                         const WheelMotion& motion, const WheelMemory& memory, double dt,
                         const WheelReaction& reaction) {
  // Small beside depths of millimetres and slips of millimetres per second, large beside rounding.
  constexpr double kSpeed = 1e-5;  // [m/s]
  constexpr double kDepth = 1e-7;  // [m]
  if (reaction.normal <= 0) return {};
  const auto force = [&](const WheelMotion& other) {
    return wheel_force(model, wheel, soil, other, memory, dt);
  };
  WheelMotion rising = motion, pressing = motion, sliding = motion;
  rising.depth -= kDepth;  // unloading is the stiffer way
  pressing.depth_rate += kSpeed;
  // Pull and lateral force hardly see each other's speed.
  sliding.rim -= kSpeed;
  sliding.side += kSpeed;
  const WheelReaction slid = force(sliding);
  const auto slope = [](double fall, double change) { return std::max(0.0, fall / change); };
  return {.stiffness = slope(reaction.normal - force(rising).normal, kDepth),
          .damping = slope(force(pressing).normal - reaction.normal, kSpeed),
          .pull = slope(reaction.pull - slid.pull, kSpeed),
          .lateral = slope(reaction.lateral - slid.lateral, kSpeed)};
}

}  // namespace grouser
