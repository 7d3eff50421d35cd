#include "sim/power_meter.h"

#include <algorithm>

#include "core/index.h"

namespace grouser::internal {

PowerMeter::PowerMeter(const World& world, double time)
    : world_(world), time_(time), motors_(world.model.actuators().size(), -1) {
  if (!world.power) return;
  for (std::size_t m = 0; m < world.power->actuators.size(); ++m) {
    motors_[at(world.power->actuators[m])] = static_cast<int>(m);
  }
  energies_.resize(world.power->actuators.size() + 1);
}

void PowerMeter::add_step(const StepMeter& meter) {
  const double duration = meter.duration();
  const std::span<const ActuatorMotion> motions = meter.motions();
  if (!(duration > 0)) return;
  for (std::size_t a = 0; a < motions.size(); ++a) {
    const auto [effort, rate] = motions[a];
    work_ += std::max(0.0, effort * rate) * duration;
    if (energies_.empty()) continue;
    const int motor = motors_[a];
    const MotorFlow flow = motor >= 0
                               ? motor_flow(world_.power->spec.motors[at(motor)], effort, rate)
                               : ideal_flow(effort, rate);
    (motor >= 0 ? energies_[at(motor)] : energies_.back()).add(flow, duration);
  }
}

void PowerMeter::forget_motors() {
  work_ = 0;
  std::ranges::fill(energies_, MotorEnergy{});
}

void PowerMeter::commit(State& state, const Mat3& attitude) {
  const double duration = state.time - time_;
  if (!(duration > 0)) return;
  MissionMemory mission;
  if (!world_.mission.activities.empty()) {
    const MissionSlices slices(world_);
    mission = slices.get(state);
    mission.work += work_;
    slices.set(state, mission);
  }
  if (world_.power) {
    PowerState power = power_state(world_, state);
    advance_power(world_.power->spec,
                  {.day = world_.day,
                   .time = time_,
                   .duration = duration,
                   .R_WC = attitude,
                   .payload = mission.payload,
                   .asleep = mission.asleep != 0},
                  energies_, power, thermal_state(world_, state));
    set_power_state(world_, state, power);
  }
  time_ = state.time;
  forget_motors();
}

}  // namespace grouser::internal
