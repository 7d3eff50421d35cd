#pragma once

#include <filesystem>
#include <string_view>

#include "scene/yaml_value.h"

namespace grouser::internal {

/// The parameters in an asset file: a YAML map with the key `grouser`, the version of the format, and
/// one key that is the kind of asset, e.g. "wheel". Returns the value of that key; throws Error(input)
/// with what is wrong.
YamlValue load_asset_file(const std::filesystem::path& file, std::string_view kind);

}  // namespace grouser::internal
