#include "contact/wheel/terra.h"

#include <algorithm>
#include <cmath>

#include "contact/wheel/travelling_shear.h"

namespace grouser {
namespace {

/// Slip sinkage after dt [s]: linear in itself, so that the step is exact.
double dug_after(const TerraModel& model, double radius, const WheelMotion& motion, bool touches,
                 double dt, double dug) {
  const double forward = motion.rim >= 0 ? motion.travel : -motion.travel;
  const double beyond =
      touches ? std::max(0.0, std::abs(motion.rim) - std::max(0.0, forward)) : 0.0;
  const double speed = std::abs(motion.travel);
  const double filling =
      std::max(speed - model.slope_fill * motion.travel * motion.climb, 0.2 * speed);
  const double in = model.dig * beyond;
  const double rate = in / (model.dig_limit * radius) + filling / model.fill_length;
  if (rate * dt <= 0) return dug;
  return dug + (in / rate - dug) * -std::expm1(-rate * dt);
}

}  // namespace

WheelReaction react(const TerraModel& model, const WheelForm& wheel, const WheelSoil& soil,
                    const WheelMotion& motion, double dt, WheelMemory& memory) {
  const double b = wheel.width;
  const bool touches = motion.depth > memory.dug;
  memory.dug = dug_after(model, wheel.radius, motion, touches, dt, memory.dug);
  const double carrying = motion.depth - memory.dug;  // z_eff
  WheelReaction reaction{.sinkage = std::max(motion.depth, 0.0)};
  const double speed = std::hypot(motion.travel, motion.side);
  if (carrying <= 0) {
    memory.shear.setZero();
    memory.bow.setZero();
    memory.sunk = sunk_after(model.press, memory.sunk, speed * dt / (0.2 * wheel.radius), 0);
    return reaction;
  }
  const double length = contact_length(wheel, carrying + model.dug_traction * memory.dug);
  const double passed = std::hypot(motion.travel / length, motion.side / b);  // footprints [1/s]
  memory.sunk = sunk_after(model.press, memory.sunk, passed * dt, carrying);
  const double pressure =
      model.pressure * press(model.press, soil, carrying, motion.depth_rate, memory.sunk);
  reaction.normal = b * length * (1 - soil.exponent / 3) * pressure;

  const double modulus = model.shear * soil.shear_modulus;
  const Vec2 slip(motion.rim - motion.travel, -motion.side);
  const TravellingShear travelling{
      .renewal = passed,
      .modulus = modulus,
      .settling = settling_time(2 * modulus, soil.gravity, soil.tan_friction)};
  memory.shear = travelling.after(memory.shear, slip, dt);
  const double strength =
      model.strength * (soil.cohesion * b * length + reaction.normal * soil.tan_friction);
  const Vec2 shear =
      strength * direction_times(travelling.felt(memory.shear, slip), modulus, mean_mobilised);

  memory.bow.x() = built_up(memory.bow.x(), motion.travel, length / 2, dt);
  memory.bow.y() = built_up(memory.bow.y(), motion.side, b / 2, dt);
  // Work of pressing a strip of the wheel's width down, k z_effⁿ⁺¹/(n + 1); pressure is that of virgin soil
  // as long as the wheel travels.
  const double compaction = model.compaction * b * pressure * carrying / (soil.exponent + 1);
  const double z = reaction.sinkage;
  reaction.pull =
      shear.x() - memory.bow.x() * (compaction + model.bulldozing * bulldozing(soil, b, z));
  reaction.lateral = shear.y() - memory.bow.y() * model.bulldozing * bulldozing(soil, length, z);
  reaction.torque = wheel.shear_radius() * shear.x();
  return reaction;
}

}  // namespace grouser
