#pragma once

#include "scene/assembly.h"

namespace grouser::internal {

/// Adds loops, actuators, springs and tethers to the assembly. `scope` is the model they belong to,
/// or empty for the scene's own.
void add_elements(const ElementsData& elements, const std::string& scope, Assembly& assembly);

/// The rover that a tree declares; nothing if it declares none or if it is wrong (reported).
std::optional<Rover> make_rover(const ModelData& model, Assembly& assembly);

}  // namespace grouser::internal
