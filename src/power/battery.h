#pragma once

#include <vector>

#include "math/spatial.h"

namespace grouser::internal {

/// A battery: an open-circuit voltage V behind an internal resistance R. Its state is the energy W it has
/// stored, and the state of charge is that over its capacity, so that V depends on W alone:
///     p = V i - R i²   at the terminals, discharging is positive
///     dW/dt = -V i     discharging,      dW/dt = -η V i   charging
struct BatterySpec {
  double capacity = 3.6e6;    ///< [J], > 0
  double start_charge = 0.9;  ///< state of charge at time 0 [-], in [0, 1]
  /// State of charge, rising from 0 to 1 [-], and V [V], > 0.
  std::vector<Vec2> voltage = {{0, 24}, {0.1, 26.5}, {0.9, 29}, {1, 30}};
  double resistance = 0.05;         ///< R [Ω], >= 0
  double max_depth = 0.8;           ///< of discharge, that missions respect [-], in (0, 1]
  double charge_efficiency = 0.95;  ///< η [-], in (0, 1]
};

/// Open-circuit voltage [V] at a state of charge.
double open_voltage(const BatterySpec& battery, double charge);

/// What a battery does over a step.
struct BatteryFlow {
  double stored = 0;    ///< change of the stored energy [J]
  double internal = 0;  ///< heat of the internal resistance [J]
  double charging = 0;  ///< lost by the charge efficiency [J]
  double given = 0;     ///< at the terminals, negative while charging [J]
};

/// With `energy` [J] stored, asked for `power` [W] over `duration` [s]; negative power charges. It gives or
/// takes less where it is empty or full, or cannot give as much power.
BatteryFlow battery_flow(const BatterySpec& battery, double energy, double power, double duration);

}  // namespace grouser::internal
