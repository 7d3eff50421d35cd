#include "contact/wheel/terra.h"

#include <algorithm>
#include <cmath>

#include "contact/laws/bekker.h"
#include "contact/wheel/travelling_shear.h"

namespace grouser::internal {
namespace {

/// How much more resists a wheel that shears the soil with all its strength, next to one that rolls: SCM's, over loads of
/// 70 to 130 N in dry sand.
constexpr double kLean = 0.7;

/// Slip sinkage after dt [s]. `carrying`: the depth that carries [m]; `pressed`: the same as the soil remembers it, which
/// does not answer to a hole that grows within the step; `sheared`: the part of the soil's strength that is mobilised.
double dug_after(const TerraModel& model, double radius, const WheelMotion& motion, double carrying,
                 double pressed, double sheared, double dt, double dug) {
  constexpr double kTouch = 0.02;  // in radii: a wheel that hardly touches hardly digs
  const double touch = std::max(carrying, 0.0) / (std::max(carrying, 0.0) + kTouch * radius);
  const double forward = motion.rim >= 0 ? motion.travel : -motion.travel;
  const double beyond = std::max(0.0, std::abs(motion.rim) - std::max(0.0, forward));
  const double speed = std::abs(motion.travel);
  const double filling =
      std::max(speed - model.slope_fill * motion.travel * motion.climb, 0.2 * speed);
  const double grown = model.dig_load > 0 ? std::pow(pressed / (0.1 * radius), model.dig_load) : 1;
  const double in = model.dig * sheared * touch * beyond;
  const double rate = in / (model.dig_limit * radius) + filling / model.fill_length;
  if (rate * dt <= 0) return dug;
  return dug + (grown * in / rate - dug) * faded(rate * dt);
}

}  // namespace

WheelReaction react(const TerraModel& model, const WheelForm& wheel, const WheelSoil& soil,
                    const WheelMotion& motion, double dt, WheelMemory& memory) {
  const double b = wheel.width;
  const double modulus = model.shear * soil.shear_modulus;
  // Soil is carried off as far as it is sheared; that and its depth are those the last step left.
  const auto mobilised = [&] { return -std::expm1(-memory.shear.norm() / modulus); };
  const BekkerLaw elastic{.unloading = model.press.unloading};
  memory.dug = dug_after(model, wheel.radius, motion, motion.depth - memory.dug,
                         elastic.deepest_before(memory.sunk), mobilised(), dt, memory.dug);
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
  // The rim climbs z within its contact's length, so that a part of the load leans against travel: without slip, Bekker's
  // work of compaction. Shear moves the pressure forward, where the rim is steeper.
  const double climb = reaction.sinkage / contact_length(wheel, reaction.sinkage);
  const double compaction = model.compaction * (1 + kLean * mobilised()) * climb * b * length *
                            pressure / (soil.exponent + 1);
  // The wall of the hole that slip has dug is pushed ahead; it is no stronger than Rankine says, and nothing pushes it
  // harder than the wheel presses.
  const double pushed =
      model.bulldozing * std::min(bulldozing(soil, b, memory.dug), b * pressure * memory.dug);
  reaction.pull = shear.x() - memory.bow.x() * (compaction + pushed);
  reaction.lateral =
      shear.y() - memory.bow.y() * model.bulldozing * bulldozing(soil, length, reaction.sinkage);
  reaction.torque = wheel.shear_radius() * shear.x();
  return reaction;
}

}  // namespace grouser::internal
