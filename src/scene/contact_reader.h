#pragma once

#include <filesystem>

#include "scene/scene_data.h"
#include "scene/yaml_reader.h"

namespace grouser::internal {

/// Reads `contacts:`, what touches what and by which model, and the options of all models. Files are looked for in
/// `folder`. The rest of the scene must have been read.
void read_contacts(MapReader& scene_map, const std::filesystem::path& folder, SceneData& scene);

/// The keys of a section of a scene ("terrain"; "" is its top) under which models have their options.
std::vector<std::string_view> options_keys(const SceneContactList& contacts,
                                           std::string_view section);

}  // namespace grouser::internal
