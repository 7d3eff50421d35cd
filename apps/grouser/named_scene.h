#pragma once

#include <optional>
#include <string>

#include "sim/world.h"

namespace grouser::internal {

/// Whether a user means a file: it looks like one, or is there.
bool names_file(const std::string& name);

/// A file, or a built-in scene, "NAME" or "builtin:NAME".
World load_named_scene(const std::string& name);

/// The name of a built-in scene that was meant by "NAME" or "builtin:NAME".
std::string builtin_name(const std::string& name);

}  // namespace grouser::internal
