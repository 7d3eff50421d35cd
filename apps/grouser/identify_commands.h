#pragma once

#include "commands.h"

namespace grouser::internal {

/// `identify terra` and `identify wheel`.
void add_identify_wheel(CLI::App& command, Action& action);

}  // namespace grouser::internal
