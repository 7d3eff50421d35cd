#pragma once

#include "scene/scene_data.h"

namespace grouser::internal {

/// Reads the keys `commands` and `events` of a scene.
void read_commands(MapReader& map, SceneData& scene);
void read_events(MapReader& map, SceneData& scene);

}  // namespace grouser::internal
