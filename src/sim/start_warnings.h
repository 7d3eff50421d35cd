#pragma once

#include <string>
#include <vector>

#include "sim/world.h"

namespace grouser::internal {

/// What a user should know of a world before it runs, a sentence each: rovers and bodies that nothing holds above the
/// ground, rovers, tethers, commands and paths as they can hardly be meant, a soil grid too coarse for a wheel, what systems
/// warn of.
std::vector<std::string> start_warnings(const World& world);

}  // namespace grouser::internal
