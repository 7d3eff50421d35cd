#pragma once

#include <optional>

#include "scene/yaml_reader.h"
#include "terrain/soil.h"

namespace grouser {

/// A soil: the name of a preset, or a map with `preset` and the parameters that differ from it.
std::optional<Soil> read_soil(const YamlValue& value, IssueList& issues);

}  // namespace grouser
