#include "contact/wheel/bekker_wheel.h"

#include <algorithm>
#include <cmath>

#include "contact/wheel/travelling_shear.h"

namespace grouser {
namespace {

/// How thrust is mobilised.
struct Thrust {
  double modulus = 0;    ///< K [m]
  double first_way = 0;  ///< within which it would be there at the rate of the beginning [m]
  double fastest = 0;    ///< speed at which the footprint is renewed along the heading [m/s]
  double (*mobilised)(double moduli);  ///< part of it at a shear of some K
};

WheelReaction bekker(const PressLaw& press_law, const Thrust& law, const WheelForm& wheel,
                     const WheelSoil& soil, const WheelMotion& motion, double dt,
                     WheelMemory& memory) {
  WheelReaction reaction{.sinkage = std::max(motion.depth, 0.0)};
  const double z = motion.depth, b = wheel.width;
  const double speed = std::hypot(motion.travel, motion.side);
  if (z <= 0) {
    memory.shear.setZero();
    memory.bow.setZero();
    memory.sunk = sunk_after(press_law, memory.sunk, speed * dt / (0.2 * wheel.radius), 0);
    return reaction;
  }
  const double length = contact_length(wheel, z);
  const double passed = std::hypot(motion.travel / length, motion.side / b);
  memory.sunk = sunk_after(press_law, memory.sunk, passed * dt, z);
  const double pressure = press(press_law, soil, z, motion.depth_rate, memory.sunk);
  reaction.normal = b * (1 - soil.exponent / 3) * pressure * std::sqrt(2 * wheel.radius * z);

  const Vec2 slip(motion.rim - motion.travel, -motion.side);
  const TravellingShear travelling{
      .renewal = std::hypot(law.fastest / length, motion.side / b),
      .modulus = law.modulus,
      .settling = settling_time(law.first_way, soil.gravity, soil.tan_friction)};
  memory.shear = travelling.after(memory.shear, slip, dt);
  const double thrust = b * length * soil.cohesion + reaction.normal * soil.tan_friction;
  const Vec2 shear =
      thrust * direction_times(travelling.felt(memory.shear, slip), law.modulus, law.mobilised);
  memory.bow.x() = built_up(memory.bow.x(), motion.travel, length / 2, dt);
  memory.bow.y() = built_up(memory.bow.y(), motion.side, b / 2, dt);
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
                      .first_way = model.grip,
                      .fastest = std::abs(motion.travel),
                      .mobilised = [](double x) { return -std::expm1(-x); }};
  return bekker(model.press, thrust, wheel, soil, motion, dt, memory);
}

WheelReaction react(const BjhModel& model, const WheelForm& wheel, const WheelSoil& soil,
                    const WheelMotion& motion, double dt, WheelMemory& memory) {
  // Slip is over the faster of rim and travel.
  const Thrust thrust{.modulus = soil.shear_modulus,
                      .first_way = 2 * soil.shear_modulus,
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

}  // namespace grouser
