#pragma once

namespace grouser::internal {

/// A brushed or commutated direct-current motor behind a gear, as its data sheet describes it.
/// At the shaft: torque τ = k i, voltage u = R i + k ω, with k = V / ω₀ and R = V k / τ_s. At the joint:
///     driving  τ_j = (τ - τ_f) N η,    back-driven  τ_j = (τ - τ_f) N / η_b,    ω = N ω_j
/// with the friction τ_f against the motion. Inductance, and the inertia of the rotor (`armature` of the
/// joint), are not part of it.
struct MotorSpec {
  double voltage = 24;            ///< nominal, V [V], > 0
  double stall_torque = 0.1;      ///< of the shaft at the nominal voltage, τ_s [N m], > 0
  double no_load_speed = 800;     ///< of the shaft, without friction, ω₀ [rad/s], > 0
  double gear_ratio = 100;        ///< N [-], > 0
  double gear_efficiency = 0.8;   ///< η [-], in (0, 1]
  double back_efficiency = 0.6;   ///< η_b, when the joint drives the motor [-], in (0, 1]
  double friction = 0;            ///< of shaft and gear, at the shaft, τ_f [N m], >= 0, < τ_s
  bool regenerates = false;       ///< whether it charges the battery while it brakes
  double thermal_resistance = 5;  ///< from winding to surroundings [K/W], >= 0
  double thermal_time = 600;      ///< time constant of the winding [s], > 0
  double max_temperature = 125;   ///< of the winding: no current is left here [°C]
  double derating_band = 20;      ///< below it, over which the current is reduced [K], > 0
};

/// Constant of torque and of voltage, k [N m/A], [V s/rad].
double motor_constant(const MotorSpec& motor);
/// Of the winding, R [Ω].
double winding_resistance(const MotorSpec& motor);

/// What a motor can do at the joint: the line from the stall torque to the no-load speed.
struct JointLine {
  double stall_torque = 0;   ///< [N m]
  double no_load_speed = 0;  ///< [rad/s]
};
JointLine joint_line(const MotorSpec& motor);

/// Where the power of a motor goes [W]; electrical = mechanical + copper + gear + braked.
struct MotorFlow {
  double electrical = 0;  ///< taken from the bus; negative if it regenerates
  double mechanical = 0;  ///< to the joint; negative if the joint drives the motor
  double copper = 0;      ///< heat of the winding
  double gear = 0;        ///< gear and friction
  double braked = 0;      ///< generated, and burnt since the motor does not regenerate
};

/// At a joint torque [N m] and rate [rad/s].
MotorFlow motor_flow(const MotorSpec& motor, double torque, double rate);
/// Of an actuator without a motor: it draws the work it does and returns none.
MotorFlow ideal_flow(double torque, double rate);

/// Temperature of the winding [°C] after `duration` [s] of `heat` [W].
double next_temperature(const MotorSpec& motor, double temperature, double heat, double ambient,
                        double duration);
/// Part of the torque that a winding of this temperature has left [-], 1 when cool.
double available_torque(const MotorSpec& motor, double temperature);

}  // namespace grouser::internal
