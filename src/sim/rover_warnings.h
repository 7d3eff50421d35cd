#pragma once

#include <string>
#include <vector>

#include "sim/world.h"

namespace grouser::internal {

/// How rovers stand at the start on terrain that their wheels may touch, a sentence for each that cannot be meant: above
/// the ground or in it, in each other, beyond the map, without gravity, with the centre of mass beside the wheels, or with
/// wheels on another side than their names say.
std::vector<std::string> rover_warnings(const World& world);

/// Tethers and springs that pull far more at the start than the bodies they hold weigh.
std::vector<std::string> pull_warnings(const World& world);

}  // namespace grouser::internal
