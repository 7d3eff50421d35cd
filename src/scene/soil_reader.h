#pragma once

#include <optional>
#include <string>

#include "scene/yaml_reader.h"
#include "terrain/soil.h"

namespace grouser::internal {

/// A soil: the name of a preset; a YAML file with the key `soil`, looked for in `folder`; or a map with `preset` and
/// the parameters that differ from it.
std::optional<Soil> read_soil(const YamlValue& value, IssueList& issues,
                              const std::filesystem::path& folder = {});

/// A soil by the name of a preset, or from a YAML file with the key `soil`, as `grouser identify soil`
/// writes it. Throws Error(input) with what is wrong, Error(io) if the file cannot be read.
Soil load_soil(const std::string& name_or_file);

}  // namespace grouser::internal
