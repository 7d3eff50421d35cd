#pragma once

#include <filesystem>

#include "scene/scene_data.h"
#include "scene/yaml_reader.h"

namespace grouser::internal {

/// Reads an entry of `contacts:` with `model: pcm`: meshes that touch each other, rocks, ground.
void read_mesh_contact(MapReader& map, const std::filesystem::path& folder, SceneData& scene);

/// Reads `mesh_contact:`, how they touch.
void read_mesh_contact_options(MapReader& scene_map, SceneData& scene);

}  // namespace grouser::internal
