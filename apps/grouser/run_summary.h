#pragma once

#include <filesystem>

#include "sim/simulate.h"

namespace grouser::internal {

/// Prints what a run amounted to: wheels, mission, power, events and alarms.
void print_summary(const World& world, const RunReport& report,
                   const std::filesystem::path& folder);

}  // namespace grouser::internal
