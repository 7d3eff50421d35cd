#pragma once

#include <memory>
#include <vector>

#include "contact/bbcc/bbcc_system.h"
#include "scene/assembly.h"

namespace grouser::internal {

/// All that may touch in a scene: nothing if it has no such contacts. Reports names that are unknown,
/// bodies without a shape, meshes that have no hull.
std::shared_ptr<const BbccSystem> make_body_contacts(const SceneData& scene,
                                                     const std::vector<Rover>& rovers,
                                                     Assembly& assembly);

}  // namespace grouser::internal
