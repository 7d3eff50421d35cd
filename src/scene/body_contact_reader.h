#pragma once

#include <filesystem>

#include "scene/scene_data.h"
#include "scene/yaml_reader.h"

namespace grouser::internal {

/// Reads an entry of `contacts:` with `model: bbcc`: bodies that touch each other, rocks, hard ground.
void read_body_contact(MapReader& map, const std::filesystem::path& folder, SceneData& scene);

/// Reads `body_contact:`, how they touch.
void read_body_contact_options(MapReader& scene_map, SceneData& scene);

}  // namespace grouser::internal
