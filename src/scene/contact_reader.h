#pragma once

#include <filesystem>

#include "scene/scene_data.h"
#include "scene/yaml_reader.h"

namespace grouser {

/// Reads `contacts:`, the bodies that touch the ground and by which model. Files are looked for in
/// `folder`.
void read_contacts(MapReader& scene_map, const std::filesystem::path& folder, SceneData& scene);

}  // namespace grouser
