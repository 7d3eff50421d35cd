#include "power/motor.h"

#include <algorithm>
#include <cmath>

namespace grouser::internal {
namespace {

/// Torque of the shaft [N m] behind the gear and its friction.
double shaft_torque(const MotorSpec& motor, double torque, double rate) {
  if (rate == 0) {  // friction helps to hold
    const double held = std::max(0.0, std::abs(torque) / motor.gear_ratio - motor.friction);
    return std::copysign(held, torque);
  }
  const double friction = std::copysign(motor.friction, rate);
  const bool drives = torque * rate > 0;
  const double geared = drives ? torque / (motor.gear_ratio * motor.gear_efficiency)
                               : torque * motor.back_efficiency / motor.gear_ratio;
  return geared + friction;
}

}  // namespace

double motor_constant(const MotorSpec& motor) { return motor.voltage / motor.no_load_speed; }

double winding_resistance(const MotorSpec& motor) {
  return motor.voltage * motor_constant(motor) / motor.stall_torque;
}

JointLine joint_line(const MotorSpec& motor) {
  const double left = 1 - motor.friction / motor.stall_torque;
  return {.stall_torque = motor.stall_torque * left * motor.gear_ratio * motor.gear_efficiency,
          .no_load_speed = motor.no_load_speed * left / motor.gear_ratio};
}

MotorFlow motor_flow(const MotorSpec& motor, double torque, double rate) {
  const double shaft = shaft_torque(motor, torque, rate);
  const double shaft_power = shaft * motor.gear_ratio * rate;
  const double current = shaft / motor_constant(motor);
  MotorFlow flow{.mechanical = torque * rate,
                 .copper = winding_resistance(motor) * current * current};
  flow.gear = shaft_power - flow.mechanical;
  flow.electrical = shaft_power + flow.copper;
  if (flow.electrical < 0 && !motor.regenerates) {
    flow.braked = -flow.electrical;
    flow.electrical = 0;
  }
  return flow;
}

MotorFlow ideal_flow(double torque, double rate) {
  const double work = torque * rate;
  return {.electrical = std::max(0.0, work), .mechanical = work, .braked = std::max(0.0, -work)};
}

double next_temperature(const MotorSpec& motor, double temperature, double heat, double ambient,
                        double duration) {
  const double end = ambient + motor.thermal_resistance * heat;
  return end + (temperature - end) * std::exp(-duration / motor.thermal_time);
}

double available_torque(const MotorSpec& motor, double temperature) {
  return std::clamp((motor.max_temperature - temperature) / motor.derating_band, 0.0, 1.0);
}

}  // namespace grouser::internal
