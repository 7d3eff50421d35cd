#include "power/power_plant.h"

#include <algorithm>
#include <cmath>

namespace grouser::internal {
namespace {

/// What the root of a square leaves of the power that is asked for [-].
constexpr double kRounding = 1e-12;

/// Energy [J] a heater takes in a step; moves its temperature and switch.
double heat(const HeaterSpec& heater, double ambient, double duration, double& temperature,
            double& is_on) {
  if (temperature < heater.on_below) is_on = 1;
  if (temperature > heater.off_above) is_on = 0;
  const double power = is_on != 0 ? heater.power : 0;
  const double end = ambient + power / heater.conductance;
  const double decay = std::exp(-duration * heater.conductance / heater.heat_capacity);
  temperature = end + (temperature - end) * decay;
  return power * duration;
}

}  // namespace

double PowerState::used() const {
  return mechanical + copper + gear + braked + heaters + loads + payload;
}

double PowerState::balance_error() const {
  const double in = solar + (stored_at_start - stored) + unserved;
  const double out = used() + internal + charging;
  const double all = solar + unserved + std::abs(stored_at_start - stored) + std::abs(mechanical) +
                     heaters + loads + payload;
  return all > 0 ? std::abs(in - out) / all : 0;
}

void MotorEnergy::add(const MotorFlow& flow, double duration) {
  electrical += flow.electrical * duration;
  mechanical += flow.mechanical * duration;
  copper += flow.copper * duration;
  gear += flow.gear * duration;
  braked += flow.braked * duration;
}

void MotorEnergy::add(const MotorEnergy& other) {
  electrical += other.electrical;
  mechanical += other.mechanical;
  copper += other.copper;
  gear += other.gear;
  braked += other.braked;
}

std::size_t thermal_size(const PowerSpec& spec) {
  return spec.motors.size() + 2 * spec.heaters.size();
}

void start_power(const PowerSpec& spec, const Day& day, PowerState& state,
                 std::span<double> thermal) {
  state = {};
  state.stored = spec.battery.start_charge * spec.battery.capacity;
  state.stored_at_start = state.stored_min = state.stored;
  const double ambient = ambient_temperature(day, 0);
  const std::size_t motors = spec.motors.size();
  for (std::size_t m = 0; m < motors; ++m) thermal[m] = ambient;
  for (std::size_t h = 0; h < spec.heaters.size(); ++h) {
    thermal[motors + 2 * h] = std::max(ambient, spec.heaters[h].on_below);
    thermal[motors + 2 * h + 1] = 0;
  }
}

void advance_power(const PowerSpec& spec, const PowerConditions& now,
                   std::span<const MotorEnergy> each, PowerState& state,
                   std::span<double> thermal) {
  const double h = now.duration, middle = now.time + 0.5 * h;
  const double ambient = ambient_temperature(now.day, middle);
  const std::size_t first = spec.motors.size();
  MotorEnergy motors;
  for (std::size_t m = 0; m < each.size(); ++m) {
    motors.add(each[m]);
    if (m >= first) continue;
    thermal[m] = next_temperature(spec.motors[m], thermal[m], each[m].copper / h, ambient, h);
  }
  double heaters = 0, loads = 0;
  for (std::size_t k = 0; k < spec.heaters.size(); ++k) {
    heaters +=
        heat(spec.heaters[k], ambient, h, thermal[first + 2 * k], thermal[first + 2 * k + 1]);
  }
  for (const LoadSpec& load : spec.loads) {
    if (!now.asleep || load.asleep) loads += load.power * h;
  }
  const double payload = now.payload * h;
  const double solar = spec.solar ? h * solar_power(*spec.solar, now.day, middle, now.R_WC) : 0;
  const double asked = motors.electrical + heaters + loads + payload - solar;
  const BatteryFlow flow = battery_flow(spec.battery, state.stored, asked / h, h);
  double missing = asked - flow.given;  // negative: the battery is full
  if (std::abs(missing) <= kRounding * std::abs(asked)) missing = 0;
  const double unused = std::clamp(-missing, 0.0, solar);
  state.stored += flow.stored;
  state.stored_min = std::min(state.stored_min, state.stored);
  state.solar += solar - unused;
  state.unused += unused;
  state.mechanical += motors.mechanical;
  state.copper += motors.copper;
  state.gear += motors.gear;
  // What motors return beyond what the battery takes is burnt.
  state.braked += motors.braked + std::max(0.0, -missing - unused);
  state.heaters += heaters;
  state.loads += loads;
  state.payload += payload;
  state.internal += flow.internal;
  state.charging += flow.charging;
  state.unserved += std::max(0.0, missing);
  state.solar_power = solar / h;
  state.motor_power = motors.electrical / h;
  state.heater_power = heaters / h;
  state.load_power = loads / h;
  state.payload_power = now.payload;
}

}  // namespace grouser::internal
