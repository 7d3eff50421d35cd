#pragma once

#include <filesystem>

#include "scene/tree_data.h"
#include "scene/yaml_reader.h"

namespace grouser::internal {

/// Reads a tree: the content of a rover file, or the map under `tree:` of a scene. Mesh files are
/// looked for relative to `folder`.
TreeData read_tree(const YamlValue& value, const std::filesystem::path& folder, IssueList& issues);

/// Reads the optional key `grouser`, the version of the format.
void read_format_version(MapReader& map);

}  // namespace grouser::internal
