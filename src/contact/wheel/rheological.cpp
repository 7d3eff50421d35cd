#include "contact/wheel/rheological.h"

#include <algorithm>
#include <cmath>

#include "contact/wheel/bekker_wheel.h"
#include "contact/wheel/ground_press.h"

namespace grouser::internal {
namespace {

constexpr double kSlowTime = 0.02;  // of slow sliding before it sticks [s]

struct Gains {
  double p = 0, i = 0, d = 0;  ///< [N/m], [N/(m s)], [N s/m]
};

Vec2 sliding_force(const RheologicalModel& model, double friction, const Vec2& slip) {
  const double speed = slip.norm();
  return speed > 0 ? Vec2(friction * std::tanh(speed / model.slide_speed) / speed * slip)
                   : Vec2(0, 0);
}

/// Friction [N] while the wheel sticks or slides; decides which of it comes next.
Vec2 friction_force(const RheologicalModel& model, const Gains& gains, double friction,
                    const Vec2& slip, double dt, WheelMemory& memory) {
  if (memory.sliding != 0) {
    const Vec2 force = sliding_force(model, friction, slip);
    memory.slow = slip.norm() < model.stick_speed ? memory.slow + dt : 0;
    if (memory.slow < kSlowTime) return force;
    memory = {.shear = (force - gains.d * slip) / gains.p};  // sticks, with the same force
    return force;
  }
  memory.shear += dt * slip;
  memory.held += dt * memory.shear;
  const Vec2 force = gains.p * memory.shear + gains.i * memory.held + gains.d * slip;
  const double most = model.static_friction * friction;
  if (force.norm() <= most) return force;
  const Vec2 limited = most / force.norm() * force;
  memory = {.sliding = 1};
  return limited;
}

}  // namespace

WheelReaction react(const RheologicalModel& model, const WheelForm& wheel, const WheelSoil& soil,
                    const WheelMotion& motion, double dt, WheelMemory& memory) {
  const double z = motion.depth, load = model.mass * soil.gravity;
  if (z <= 0 || load <= 0) {
    memory = {};
    return {.sinkage = std::max(z, 0.0)};
  }
  const double still = bekker_sinkage(wheel, soil, load);
  const double spring = (soil.exponent + 0.5) * load / still;
  const double natural = std::sqrt(spring / model.mass);  // [rad/s]
  const Gains gains{
      .p = spring, .i = spring * natural / 10, .d = 2 * model.damping_ratio * spring / natural};
  WheelReaction reaction{.sinkage = z};
  reaction.normal = spring * z * rate_factor(gains.d * motion.depth_rate / (spring * z));
  const Vec2 force = friction_force(model, gains, soil.tan_friction * reaction.normal,
                                    Vec2(motion.rim - motion.travel, -motion.side), dt, memory);
  const double resistance = compaction_resistance(wheel, soil, still) * reaction.normal / load *
                            motion.travel / model.rolling_speed;
  reaction.pull = force.x() - resistance;
  reaction.lateral = force.y();
  reaction.torque = wheel.shear_radius() * force.x();
  return reaction;
}

}  // namespace grouser::internal
