#include "sim/state_check.h"

#include <algorithm>

#include "core/error.h"
#include "core/index.h"
#include "sim/evaluate.h"
#include "sim/watch.h"

namespace grouser::internal {
namespace {

/// One that has not begun yet fits every World.
bool watch_fits(const World& world, WatchMemory memory) {
  const Watch watch(world);
  watch.lay_out(memory);
  return watch.fits(memory);
}

}  // namespace

void check_state(const World& world, const State& state) {
  const Model& model = world.model;
  const auto has = [](const auto& list, int index) { return at(index) < list.size(); };
  const bool fits =
      state.memory.size() == MemoryLayout(world).size && state.q.size() == model.position_size() &&
      state.v.size() == model.velocity_size() &&
      std::ranges::equal(
          world.contacts, state.contacts,
          [](const auto& system, const ContactMemory& memory) { return system->fits(memory); }) &&
      std::ranges::all_of(
          state.inputs.targets,
          [&](const TargetInput& input) { return has(model.actuators(), input.actuator); }) &&
      std::ranges::all_of(
          state.inputs.wrenches,
          [&](const WrenchInput& input) { return has(model.bodies(), input.body); }) &&
      watch_fits(world, state.watch);
  if (fits) return;
  throw Error(ErrorKind::input, Issue{.message = "the state does not belong to this world",
                                      .file = world.scene_file});
}

}  // namespace grouser::internal
