#include "sim/mission_memory.h"

#include <algorithm>
#include <cstring>

#include "core/clock.h"
#include "sim/evaluate.h"

namespace grouser::internal {
namespace {

template <class Numbers>
constexpr std::size_t count_of() {
  return sizeof(Numbers) / sizeof(double);
}

template <class Numbers>
Numbers read(const State& state, std::size_t slot) {
  Numbers numbers;
  std::memcpy(static_cast<void*>(&numbers), state.memory.data() + slot, sizeof numbers);
  return numbers;
}

template <class Numbers>
void write(State& state, std::size_t slot, const Numbers& numbers) {
  std::memcpy(state.memory.data() + slot, &numbers, sizeof numbers);
}

std::size_t wheel_numbers(const World& world) {
  if (world.rovers.empty()) return 0;
  return 2 * world.rovers[static_cast<std::size_t>(world.mission.rover)].wheels.size();
}

std::size_t power_slot(const World& world) { return MemoryLayout(world).power; }

}  // namespace

std::size_t MissionSlices::size(const World& world) {
  return count_of<MissionMemory>() + wheel_numbers(world) +
         count_of<MoveMemory>() * world.mission.actuators.size() +
         count_of<ActivityMemory>() * world.mission.activities.size();
}

MissionSlices::MissionSlices(const World& world)
    : begin_(MemoryLayout(world).mission),
      wheels_(begin_ + count_of<MissionMemory>()),
      moves_(wheels_ + wheel_numbers(world)),
      activities_(moves_ + count_of<MoveMemory>() * world.mission.actuators.size()) {}

MissionMemory MissionSlices::get(const State& state) const {
  return read<MissionMemory>(state, begin_);
}
void MissionSlices::set(State& state, const MissionMemory& memory) const {
  write(state, begin_, memory);
}
ActivityMemory MissionSlices::activity(const State& state, std::size_t index) const {
  return read<ActivityMemory>(state, activities_ + index * count_of<ActivityMemory>());
}
void MissionSlices::set(State& state, std::size_t index, const ActivityMemory& memory) const {
  write(state, activities_ + index * count_of<ActivityMemory>(), memory);
}
MoveMemory MissionSlices::move(const State& state, std::size_t joint) const {
  return read<MoveMemory>(state, moves_ + joint * count_of<MoveMemory>());
}
void MissionSlices::set_move(State& state, std::size_t joint, const MoveMemory& memory) const {
  write(state, moves_ + joint * count_of<MoveMemory>(), memory);
}

SignalValue position_at(const MoveMemory& move, double time) {
  const double way = move.to - move.from, t = move.duration;
  const double u = std::clamp((time - move.begin) / t, 0.0, 1.0), rest = 1 - u;
  return {.value = u >= 1 ? move.to : move.from + way * u * u * u * (10 - 15 * u + 6 * u * u),
          .rate = way * 30 * u * u * rest * rest / t,
          .acceleration = way * 60 * u * rest * (1 - 2 * u) / (t * t)};
}

bool is_parked(const World& world, const State& state) {
  return !world.mission.activities.empty() && MissionSlices(world).get(state).parked == 1;
}

bool asks_to_park(const World& world, const State& state) {
  return !world.mission.activities.empty() && MissionSlices(world).get(state).parked == 2;
}

void park(const World& world, State& state) {
  const MissionSlices slices(world);
  MissionMemory memory = slices.get(state);
  memory.parked = 1;
  memory.looked = memory.wake = state.time;
  slices.set(state, memory);
  state.v.setZero();
  const auto index = static_cast<std::size_t>(memory.activity);
  if (index >= world.mission.activities.size()) return;
  ActivityMemory activity = slices.activity(state, index);
  if (activity.parked == 0) activity.parked_from = state.time;
  slices.set(state, index, activity);
}

void unpark(const World& world, State& state) {
  const MissionSlices slices(world);
  MissionMemory memory = slices.get(state);
  const Clock clock{0, 1 / world.mission.rate_hz};
  memory.parked = memory.rests = 0;
  memory.ticks = clock.first_tick_from(state.time);
  if (clock.is_due(memory.ticks, state.time)) memory.ticks += 1;
  slices.set(state, memory);
}

PowerState power_state(const World& world, const State& state) {
  return world.power ? read<PowerState>(state, power_slot(world)) : PowerState{};
}

void set_power_state(const World& world, State& state, const PowerState& power) {
  write(state, power_slot(world), power);
}

std::span<double> thermal_state(const World& world, State& state) {
  return std::span(state.memory)
      .subspan(power_slot(world) + count_of<PowerState>(), thermal_size(world.power->spec));
}

std::span<const double> thermal_state(const World& world, const State& state) {
  return std::span(state.memory)
      .subspan(power_slot(world) + count_of<PowerState>(), thermal_size(world.power->spec));
}

double state_of_charge(const World& world, const State& state) {
  if (!world.power) return 1;
  return power_state(world, state).stored / world.power->spec.battery.capacity;
}

double energy_used(const World& world, const State& state) {
  if (world.power) return power_state(world, state).used();
  return MissionSlices(world).get(state).work;
}

}  // namespace grouser::internal
