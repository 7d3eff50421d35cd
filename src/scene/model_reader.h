#pragma once

#include <filesystem>

#include "scene/scene_data.h"

namespace grouser::internal {

/// Reads one entry of `models:` together with its tree, be it built in, a URDF, a file or inline.
ModelData read_model(const YamlValue& value, const std::filesystem::path& folder,
                     IssueList& issues);

}  // namespace grouser::internal
