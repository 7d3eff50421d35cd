#include "contact/wheel/bekker_wheel.h"

#include <algorithm>
#include <cmath>

#include "contact/wheel/travelling_shear.h"

namespace grouser::internal {
namespace {

/// How thrust is mobilised.
struct Thrust {
  double modulus = 0;  ///< K [m]
  double rocking = 1;  ///< time of rocking over that of the soil [-]
  double fastest = 0;  ///< speed at which the footprint is renewed along the heading [m/s]
  double (*mobilised)(double moduli);  ///< part of it at a shear of some K
};

WheelReaction bekker(const PressLaw& press_law, const Thrust& law, const WheelForm& wheel,
                     const WheelSoil& soil, const WheelMotion& motion, double dt,
                     WheelMemory& memory) {
  WheelReaction reaction{.sinkage = std::max(motion.depth, 0.0)};
  const double z = motion.depth, b = wheel.width;
  if (z <= 0) {
    const double way = length_of(motion.travel, motion.side) * dt / (0.2 * wheel.radius);
    memory.shear.setZero();
    memory.bow.setZero();
    memory.sunk = sunk_after(press_law, memory.sunk, faded(way), 0);
    return reaction;
  }
  const double length = contact_length(wheel, z);
  const Vec2 slip(motion.rim - motion.travel, -motion.side);
  const TravellingShear travelling{.renewal = length_of(law.fastest / length, motion.side / b),
                                   .modulus = law.modulus,
                                   .settling = soil.rocking / 2 * law.rocking};
  const Fading fading = travelling.fading(memory.shear, slip);
  const double passed = length_of(motion.travel / length, motion.side / b) * dt;
  memory.sunk = sunk_after(press_law, memory.sunk, faded(passed), z);
  memory.shear = fading.after(memory.shear, slip, dt, faded(fading.rate * dt));
  memory.bow.x() =
      built_up(memory.bow.x(), motion.travel, faded(2 * std::abs(motion.travel) * dt / length));
  memory.bow.y() = built_up(memory.bow.y(), motion.side, faded(2 * std::abs(motion.side) * dt / b));

  const double pressure = press(press_law, soil, z, motion.depth_rate, memory.sunk);
  reaction.normal = b * (1 - soil.exponent / 3) * pressure * std::sqrt(2 * wheel.radius * z);
  const double thrust = b * length * soil.cohesion + reaction.normal * soil.tan_friction;
  const Vec2 shear =
      thrust * direction_times(travelling.felt(memory.shear, slip), law.modulus, law.mobilised);
  const double compaction = b * pressure * z / (soil.exponent + 1);
  reaction.pull = shear.x() - memory.bow.x() * (compaction + bulldozing(soil, b, z));
  reaction.lateral = shear.y() - memory.bow.y() * bulldozing(soil, length, z);
  reaction.torque = wheel.shear_radius() * shear.x();
  return reaction;
}

}  // namespace

WheelReaction react(const BekkerModel& model, const WheelForm& wheel, const WheelSoil& soil,
                    const WheelMotion& motion, double dt, WheelMemory& memory) {
  const Thrust thrust{.modulus = model.grip,
                      .rocking = std::sqrt(model.grip / (2 * soil.shear_modulus)),
                      .fastest = std::abs(motion.travel),
                      .mobilised = [](double x) { return -std::expm1(-x); }};
  return bekker(model.press, thrust, wheel, soil, motion, dt, memory);
}

WheelReaction react(const BjhModel& model, const WheelForm& wheel, const WheelSoil& soil,
                    const WheelMotion& motion, double dt, WheelMemory& memory) {
  // Slip is over the faster of rim and travel.
  const Thrust thrust{.modulus = soil.shear_modulus,
                      .rocking = 1,
                      .fastest = std::max(std::abs(motion.rim), std::abs(motion.travel)),
                      .mobilised = mean_mobilised};
  return bekker(model.press, thrust, wheel, soil, motion, dt, memory);
}

double bekker_load_factor(const WheelForm& wheel, const WheelSoil& soil) {
  return wheel.width * soil.stiffness * std::sqrt(2 * wheel.radius) * (1 - soil.exponent / 3);
}

double bekker_sinkage(const WheelForm& wheel, const WheelSoil& soil, double load) {
  return std::pow(load / bekker_load_factor(wheel, soil), 1 / (soil.exponent + 0.5));
}

double compaction_resistance(const WheelForm& wheel, const WheelSoil& soil, double z) {
  return wheel.width * soil.stiffness * std::pow(z, soil.exponent + 1) / (soil.exponent + 1);
}

}  // namespace grouser::internal
