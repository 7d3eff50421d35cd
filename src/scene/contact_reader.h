#pragma once

#include <filesystem>

#include "scene/scene_data.h"
#include "scene/yaml_reader.h"

namespace grouser {

/// Reads `contacts:`, what touches what and by which model, and `body_contact:`. Files are looked for in
/// `folder`.
void read_contacts(MapReader& scene_map, const std::filesystem::path& folder, SceneData& scene);

}  // namespace grouser
