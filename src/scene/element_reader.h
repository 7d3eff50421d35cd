#pragma once

#include "scene/tree_data.h"
#include "scene/yaml_reader.h"

namespace grouser::internal {

/// Reads the keys loops, actuators, springs and tethers of a tree or scene.
ElementsData read_elements(MapReader& map);

/// Reads the keys chassis and wheels.
RoverData read_rover(MapReader& map);

}  // namespace grouser::internal
