#pragma once

#include <filesystem>

#include "scene/scene_data.h"
#include "scene/yaml_reader.h"

namespace grouser::internal {

/// Reads `contacts:`, what touches what and by which model, `body_contact:` and `mesh_contact:`. Files are
/// looked for in `folder`.
void read_contacts(MapReader& scene_map, const std::filesystem::path& folder, SceneData& scene);

/// Parameters of a wheel, written out or in an asset file.
std::optional<WheelSpec> read_wheel_shape(const YamlValue& value,
                                          const std::filesystem::path& folder, IssueList& issues);

}  // namespace grouser::internal
