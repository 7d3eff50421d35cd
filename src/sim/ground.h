#pragma once

#include "assets/rock_field.h"
#include "terrain/elevation_map.h"
#include "terrain/soil_map.h"

namespace grouser::internal {

/// What the rovers of a world stand on.
struct Ground {
  ElevationMap map;
  SoilMap soils;
  RockField rocks;        ///< fixed, lying on the map; empty if there are none
  RockField loose_rocks;  ///< where they lie in the beginning; they are bodies of the model
};

/// A grid over the whole map for pictures and recordings: as fine as the map's own, but of at most
/// `max_nodes` (>= 2) along the longer side.
GridSpec overview_grid(const ElevationMap& map, int max_nodes);

}  // namespace grouser::internal
