#pragma once

#include <filesystem>

#include "scene/tree_data.h"
#include "scene/yaml_reader.h"

namespace grouser {

/// Reads one entry of `bodies:`. Mesh files are looked for relative to `folder`.
BodyData read_body(const YamlValue& value, const std::filesystem::path& folder, IssueList& issues);

}  // namespace grouser
