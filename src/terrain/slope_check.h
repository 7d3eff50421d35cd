#pragma once

#include <span>

#include "terrain/elevation_map.h"

namespace grouser::internal {

/// By how much the steepest slope between neighbouring nodes, diagonals included, exceeds `limit` [rad] or,
/// where the untouched ground is steeper, that [rad]; -π/2 if there is no pair. Nodes marked in `held`
/// (empty, or one per node) do not count.
double excess_slope(const ElevationMap& map, double limit, std::span<const char> held = {});

}  // namespace grouser::internal
