#pragma once

#include <filesystem>
#include <memory>

#include "scene/yaml_reader.h"
#include "sim/ground.h"

namespace grouser::internal {

/// Reads the key `terrain` of a scene and makes the ground: surface, soils, rocks. Files are looked for
/// in `folder`. Others read `other_keys`. Nothing if anything is wrong; then there are issues.
std::shared_ptr<const Ground> read_ground(const YamlValue& value,
                                          const std::filesystem::path& folder,
                                          std::span<const std::string_view> other_keys,
                                          IssueList& issues);

}  // namespace grouser::internal
