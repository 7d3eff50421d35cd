#pragma once

#include <filesystem>

#include "scene/scene_data.h"

namespace grouser::internal {

/// Reads a scene and all trees it names. Files are looked for relative to `folder`.
SceneData read_scene(const YamlValue& value, const std::filesystem::path& folder,
                     IssueList& issues);

}  // namespace grouser::internal
