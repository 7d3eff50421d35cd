#pragma once

#include <nlohmann/json.hpp>

#include "sim/world.h"

namespace grouser::internal {

/// What the bodies look like, for viewers: a list of
/// {"body": index or -1 for the world, "position": [x, y, z], "quaternion": [w, x, y, z],
///  "color": [r, g, b], "shape": {"type": "box", "size": [...]} | {"type": "sphere", "radius"} |
///  {"type": "cylinder" | "capsule", "radius", "length"} | {"type": "mesh", "file", "scale"}}.
/// Lengths in [m], poses in the body's frame.
nlohmann::ordered_json visuals_json(const World& world);

}  // namespace grouser::internal
