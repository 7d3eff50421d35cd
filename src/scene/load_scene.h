#pragma once

#include <filesystem>
#include <memory>
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

/// The ground of a scene file or of a built-in scene alone, whatever is wrong with the rest; nothing if the scene has
/// none.
std::shared_ptr<const Ground> load_scene_ground(const std::filesystem::path& file);
std::shared_ptr<const Ground> load_builtin_ground(std::string_view name);

/// The scene of a World once more, on the same ground, but with changes of the ground stored on a grid finer by
/// `factor`, >= 1: heights and rocks are functions of position and stay as they are. Keeps the World's settings. The
/// World must come from a scene.
World with_finer_ground(const World& world, double factor);

}  // namespace grouser::internal
