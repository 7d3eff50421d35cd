#pragma once

#include <filesystem>
#include <string>

#include "grouser/scene.h"
#include "scene/yaml_value.h"
#include "sim/world.h"

/// Scenes from values instead of YAML text.
namespace grouser::internal {

/// The same values as the readers take them, their fields named as those of a file: "models[0].name". Adds an issue
/// for each key that is given twice.
YamlValue to_yaml_value(const Value& value, const std::string& label, IssueList& issues);

/// As text that load_scene_text() reads as the same scene, to the bit.
std::string to_yaml_text(const Value& value);

/// The World of a scene's map; "grouser" may be left out. Otherwise as load_scene_text().
World load_scene_values(const Value& scene, const std::string& label,
                        const std::filesystem::path& base_dir);

}  // namespace grouser::internal
