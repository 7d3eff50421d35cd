#include "contact/wheel/wheel_damping.h"

#include <algorithm>

namespace grouser::internal {

WheelDamping wheel_damping(const WheelModel& model, const WheelForm& wheel, const WheelSoil& soil,
                           const WheelMotion& motion, const WheelMemory& memory, double dt,
                           const WheelReaction& reaction, double reach) {
  constexpr double kSpeed = 1e-5;  // [m/s]: small beside slip, large beside rounding
  if (reaction.normal <= 0) return {};
  // Rising, because unloading is the stiffer way. Pull and lateral force hardly see each other's speed.
  WheelMotion rising = motion, sliding = motion;
  rising.depth_rate -= kSpeed;
  rising.depth -= kSpeed * reach;
  sliding.rim -= kSpeed;
  sliding.side += kSpeed;
  const WheelReaction risen = wheel_force(model, wheel, soil, rising, memory, dt);
  const WheelReaction slid = wheel_force(model, wheel, soil, sliding, memory, dt);
  const auto slope = [](double fall) { return std::max(0.0, fall / kSpeed); };
  return {.normal = slope(reaction.normal - risen.normal),
          .pull = slope(reaction.pull - slid.pull),
          .lateral = slope(reaction.lateral - slid.lateral)};
}

}  // namespace grouser::internal
