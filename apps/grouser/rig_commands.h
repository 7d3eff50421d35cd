#pragma once

#include "commands.h"

/// The rigs that have a file of their own.
namespace grouser::internal {

void add_wheel_rig(CLI::App& command, Action& action);
void add_slope_rig(CLI::App& command, Action& action);

}  // namespace grouser::internal
