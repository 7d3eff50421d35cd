#pragma once

#include <filesystem>

#include "scene/tree_data.h"
#include "scene/yaml_reader.h"

namespace grouser::internal {

/// Reads a shape: `box`, `sphere`, `cylinder`, `capsule` or `mesh`, where it lies and its colour.
std::optional<VisualData> read_shape(const YamlValue& value, const std::filesystem::path& folder,
                                     IssueList& issues);

/// Reads one entry of `bodies:`. Mesh files are looked for relative to `folder`.
BodyData read_body(const YamlValue& value, const std::filesystem::path& folder, IssueList& issues);

}  // namespace grouser::internal
