#pragma once

#include <string>

#include "sim/world.h"

namespace grouser::internal {

/// A rover alone, nothing below it, its chassis' tree at the origin, at rest: a built-in one by its name; or from a file,
/// a tree (YAML), URDF or a scene, of which the rover and the scene's own loops, actuators and springs are taken, with
/// the positions that the scene gives its joints. In a scene of several rovers "scene.yaml#NAME" says which. Throws
/// Error(input).
World load_rover(const std::string& name_or_file);

/// Whether a file is meant, and no built-in rover.
bool names_rover_file(const std::string& name_or_file);

}  // namespace grouser::internal
