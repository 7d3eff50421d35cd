#pragma once

#include <string>
#include <vector>

#include "sim/world.h"

namespace grouser::internal {

/// What a run is asked that cannot be, or hardly be meant: steps and records longer than the run, commands that begin
/// after its end or lie beyond stops, wheels driven against each other, paths that are longer than there is time or leave
/// the map.
std::vector<std::string> plan_warnings(const World& world);

}  // namespace grouser::internal
