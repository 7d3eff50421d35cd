#pragma once

#include <vector>

#include "sim/mission_memory.h"
#include "sim/step_meter.h"

namespace grouser::internal {

/// Adds what actuators take, step by step, to the electrical power and to the mission of a World: sums in the State,
/// so that resumed runs go on with them.
class PowerMeter {
 public:
  /// The World must outlive it. Counts from `time` [s] on.
  PowerMeter(const World& world, double time);

  /// After an accepted step, which `meter` has seen.
  void add_step(const StepMeter& meter);
  /// At a stop: the battery, and all that is not a motor, go on to the time of the state.
  void commit(State& state, const Mat3& attitude);
  /// The same of a parked rover: motors take nothing.
  void forget_motors();

 private:
  const World& world_;
  double time_ = 0;          // counted until here
  std::vector<int> motors_;  // per actuator: its motor, or -1
  std::vector<MotorEnergy>
      energies_;     // per motor, and one for actuators without; since the last stop
  double work_ = 0;  // of all actuators since then [J]
};

}  // namespace grouser::internal
