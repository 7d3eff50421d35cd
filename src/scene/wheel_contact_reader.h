#pragma once

#include "scene/scene_data.h"
#include "scene/yaml_reader.h"

namespace grouser::internal {

/// Reads an entry of `contacts` by one of the fast wheel models.
void read_wheel_contact(MapReader& map, WheelModel model, SceneData& scene);

}  // namespace grouser::internal
