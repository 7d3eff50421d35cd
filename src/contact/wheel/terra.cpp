#include "contact/wheel/terra.h"

#include <algorithm>
#include <cmath>

#include "contact/wheel/travelling_shear.h"

namespace grouser {
namespace {

/// Slip sinkage after dt [s], with `carrying` the depth that carries: linear in itself.
double dug_after(const TerraModel& model, double radius, const WheelMotion& motion, double carrying,
                 double dt, double dug) {
  constexpr double kTouch = 0.02;  // in radii: a wheel that hardly touches hardly digs
  const double touch = std::max(carrying, 0.0) / (std::max(carrying, 0.0) + kTouch * radius);
  const double forward = motion.rim >= 0 ? motion.travel : -motion.travel;
  const double beyond = std::max(0.0, std::abs(motion.rim) - std::max(0.0, forward));
  const double speed = std::abs(motion.travel);
  const double filling =
      std::max(speed - model.slope_fill * motion.travel * motion.climb, 0.2 * speed);
  const double grown =
      model.dig_load > 0 ? std::pow(std::max(carrying, 0.0) / (0.1 * radius), model.dig_load) : 1;
  const double in = model.dig * touch * beyond;
  const double rate = in / (model.dig_limit * radius) + filling / model.fill_length;
  if (rate * dt <= 0) return dug;
  return dug + (grown * in / rate - dug) * faded(rate * dt);
}

}  // namespace

WheelReaction react(const TerraModel& model, const WheelForm& wheel, const WheelSoil& soil,
                    const WheelMotion& motion, double dt, WheelMemory& memory) {
  const double b = wheel.width;
  memory.dug = dug_after(model, wheel.radius, motion, motion.depth - memory.dug, dt, memory.dug);
  const double carrying = motion.depth - memory.dug;  // z_eff
  WheelReaction reaction{.sinkage = std::max(motion.depth, 0.0)};
  if (carrying <= 0) {
    const double way = length_of(motion.travel, motion.side) * dt / (0.2 * wheel.radius);
    memory.shear.setZero();
    memory.bow.setZero();
    memory.sunk = sunk_after(model.press, memory.sunk, faded(way), 0);
    return reaction;
  }
  const double length = contact_length(wheel, carrying + model.dug_traction * memory.dug);
  const double modulus = model.shear * soil.shear_modulus;
  const Vec2 slip(motion.rim - motion.travel, -motion.side);
  const TravellingShear travelling{.renewal = length_of(motion.travel / length, motion.side / b),
                                   .modulus = modulus,
                                   .settling = soil.rocking / 2 * std::sqrt(model.shear)};
  const Fading fading = travelling.fading(memory.shear, slip);
  memory.sunk = sunk_after(model.press, memory.sunk, faded(travelling.renewal * dt), carrying);
  memory.shear = fading.after(memory.shear, slip, dt, faded(fading.rate * dt));
  memory.bow.x() =
      built_up(memory.bow.x(), motion.travel, faded(2 * std::abs(motion.travel) * dt / length));
  memory.bow.y() = built_up(memory.bow.y(), motion.side, faded(2 * std::abs(motion.side) * dt / b));

  const double pressure =
      model.pressure * press(model.press, soil, carrying, motion.depth_rate, memory.sunk);
  reaction.normal = b * length * (1 - soil.exponent / 3) * pressure;
  const double strength =
      model.strength * (soil.cohesion * b * length + reaction.normal * soil.tan_friction);
  const Vec2 shear =
      strength * direction_times(travelling.felt(memory.shear, slip), modulus, mean_mobilised);
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
