#pragma once

#include "sim/clock.h"
#include "sim/evaluate.h"

namespace grouser {

/// Clock of a path command.
inline Clock path_clock(const PathCommand& command) {
  return {command.start_time, 1 / command.rate_hz};
}

/// Runs the path followers that are due at the state's time: the sampled controllers of a World.
/// Returns whether any ran, so that commands changed.
bool run_due_path_commands(const World& world, WorldScratch& scratch, State& state);

}  // namespace grouser
