#pragma once

#include <vector>

#include "lab/reproduce.h"

namespace grouser::internal {

/// Time stepping of many contacts: a rover parked for an hour, or driving from soft soil over hard rock, and a
/// heap of cubes.
std::vector<Reproduction> hybrid_reproductions();

}  // namespace grouser::internal
