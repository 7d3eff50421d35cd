#pragma once

#include "sim/world.h"

namespace grouser::internal {

/// Throws Error(input) unless the state has the layout of this World's.
void check_state(const World& world, const State& state);

}  // namespace grouser::internal
