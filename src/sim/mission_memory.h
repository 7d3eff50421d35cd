#pragma once

#include <span>

#include "sim/world.h"

namespace grouser::internal {

/// What a mission remembers: a slice of State::memory. Plain numbers; all 0 at first.
struct MissionMemory {
  double ticks = 0;     ///< of its clock behind us
  double activity = 0;  ///< the one that runs or comes next; their number when all are done
  double begun = 0;     ///< 1 once that one has
  double stopped = 0;   ///< 1 after an abort that ends the mission
  double segment = 0, turning = 0, done = 0;  ///< PathProgress
  double start_x = 0, start_y = 0;            ///< of the path [m]
  double x = 0, y = 0;                        ///< of the chassis at the last tick [m]
  double until = 0;                           ///< when it ends or is aborted [s]
  double energy = 0;                          ///< energy_used() when it began [J]
  double rim = 0, ground = 0;  ///< speeds of wheels, averaged over some seconds [m/s]
  double moves = 0;            ///< of joints that have begun
  double payload = 0;          ///< that it takes [W]
  double asleep = 0;           ///< 1 at night
  double rests = 0;            ///< ticks at rest in a row
  double parked = 0;           ///< 1 while brakes hold; 2: asks for it
  double wake = 0;             ///< when a parked rover looks next [s]
  double looked = 0;           ///< when a parked rover looked last [s]
  double work = 0;             ///< of actuators since time 0, ∫ Σ max(0, τ v) dt [J]
};

/// Of one activity; see ActivityReport.
struct ActivityMemory {
  double verdict = 0, reason = 0, began = 0, ended = 0, planned = 0, driven = 0, deviation = 0,
         goal_error = 0, tilt = 0, slip = 0, energy = 0, charge = 0, parked = 0, parked_from = 0,
         parked_to = 0;
};

/// Where a joint is on its way; `is_set` 0 until the mission moves it.
struct MoveMemory {
  double is_set = 0, from = 0, to = 0, begin = 0, duration = 0;
};

/// The slices of a mission in State::memory. The World must outlive it.
class MissionSlices {
 public:
  explicit MissionSlices(const World& world);

  MissionMemory get(const State& state) const;
  void set(State& state, const MissionMemory& memory) const;
  ActivityMemory activity(const State& state, std::size_t index) const;
  void set(State& state, std::size_t index, const ActivityMemory& memory) const;
  MoveMemory move(const State& state, std::size_t joint) const;
  void set_move(State& state, std::size_t joint, const MoveMemory& memory) const;
  double& ticks(State& state) const { return state.memory[begin_]; }
  /// Steer and speed of each wheel.
  double* wheels(State& state) const { return state.memory.data() + wheels_; }
  const double* wheels(const State& state) const { return state.memory.data() + wheels_; }

  static std::size_t size(const World& world);

 private:
  std::size_t begin_ = 0, wheels_ = 0, moves_ = 0, activities_ = 0;
};

/// Position, velocity and acceleration of a joint on its way.
SignalValue position_at(const MoveMemory& move, double time);

/// Whether the rover is parked: brakes hold it, and nothing moves.
bool is_parked(const World& world, const State& state);
/// It asks for that, being at rest.
bool asks_to_park(const World& world, const State& state);
/// Brakes hold from now on: velocities become exactly zero.
void park(const World& world, State& state);
/// Brakes let go, now.
void unpark(const World& world, State& state);

/// The electrical power of a world that has some.
PowerState power_state(const World& world, const State& state);
void set_power_state(const World& world, State& state, const PowerState& power);
/// Its temperatures and switches.
std::span<double> thermal_state(const World& world, State& state);
std::span<const double> thermal_state(const World& world, const State& state);
/// [-]; 1 in a world without a battery.
double state_of_charge(const World& world, const State& state);
/// From the bus since time 0; without electrical power the work of the actuators [J].
double energy_used(const World& world, const State& state);

}  // namespace grouser::internal
