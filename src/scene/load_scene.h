#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sim/world.h"

/// From a scene to a World. All functions throw Error(input) with every mistake they find, each with
/// its file, line, field, value and what would be legal. The format: docs/scene-format.md.
namespace grouser::internal {

/// Loads a scene file; the files it names are looked for relative to its folder.
World load_scene(const std::filesystem::path& file);

/// Loads a scene that is compiled in; builtin_scenes() lists them.
World load_builtin_scene(std::string_view name);

/// Loads a scene from a text. `file_label` stands for its file in messages, `base_dir` is where the
/// files it names are looked for.
World load_scene_text(const std::string& text, const std::string& file_label,
                      const std::filesystem::path& base_dir);

}  // namespace grouser::internal
