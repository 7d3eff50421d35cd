#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "power/battery.h"
#include "power/motor.h"
#include "power/solar.h"

namespace grouser::internal {

/// A heater of one node of heat, C dT/dt = p - G (T - T_ambient), switched by its thermostat.
struct HeaterSpec {
  std::string name;
  double power = 10;           ///< while it is on [W], > 0
  double on_below = -20;       ///< [°C]
  double off_above = -10;      ///< [°C], above on_below
  double heat_capacity = 5e3;  ///< C of what it heats [J/K], > 0
  double conductance = 0.1;    ///< G to the surroundings [W/K], > 0
};

/// A constant load, such as computers and radio.
struct LoadSpec {
  std::string name;
  double power = 0;     ///< [W], >= 0
  bool asleep = false;  ///< also while the rover sleeps
};

/// The electrical power of a rover: all on one bus.
struct PowerSpec {
  BatterySpec battery;
  std::optional<SolarSpec> solar;
  std::vector<HeaterSpec> heaters;
  std::vector<LoadSpec> loads;
  std::vector<MotorSpec> motors;
};

/// Sums since time 0 [J], and the powers of the last step [W]. Plain numbers: part of the simulation's State.
///     solar + (stored_at_start - stored) + unserved
///       = mechanical + copper + gear + braked + heaters + loads + payload + internal + charging
struct PowerState {
  double stored = 0, stored_at_start = 0, stored_min = 0;  ///< in the battery [J]
  double solar = 0;                                        ///< used
  double unused = 0;  ///< solar energy that found the battery full
  double mechanical = 0, copper = 0, gear = 0, braked = 0;  ///< of the motors, see MotorFlow
  double heaters = 0, loads = 0, payload = 0;
  double internal = 0, charging = 0;  ///< lost in the battery
  double unserved = 0;                ///< asked for and not there
  double solar_power = 0, motor_power = 0, heater_power = 0, load_power = 0,
         payload_power = 0;  // [W]

  /// By how much the sums miss the balance above, over all that came in [-].
  double balance_error() const;
  /// What motors, heaters, loads and payload took [J].
  double used() const;
};

/// What motors took over a stretch of time [J].
struct MotorEnergy {
  double electrical = 0, mechanical = 0, copper = 0, gear = 0, braked = 0;

  void add(const MotorFlow& flow, double duration);
  void add(const MotorEnergy& other);
};

/// Where and in what state the rover is over a step.
struct PowerConditions {
  Day day;
  double time = 0;      ///< where the step begins [s]
  double duration = 0;  ///< [s], > 0
  Mat3 R_WC = Mat3::Identity();
  double payload = 0;  ///< [W]
  bool asleep = false;
};

/// How many numbers follow those of PowerState: a temperature per motor, a temperature and a switch per heater.
std::size_t thermal_size(const PowerSpec& spec);
/// At time 0; all is as warm as the surroundings.
void start_power(const PowerSpec& spec, const Day& day, PowerState& state,
                 std::span<double> thermal);

/// Over a step in which each motor took `motors`; what is left over there are actuators without one. Sunlight
/// and temperature are those of the middle of the step.
void advance_power(const PowerSpec& spec, const PowerConditions& conditions,
                   std::span<const MotorEnergy> motors, PowerState& state,
                   std::span<double> thermal);

}  // namespace grouser::internal
