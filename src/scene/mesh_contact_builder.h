#pragma once

#include <memory>
#include <vector>

#include "contact/pcm/pcm_system.h"
#include "scene/assembly.h"

namespace grouser::internal {

/// All meshes that may touch in a scene: nothing if it has no such contacts. Reports names that are
/// unknown, bodies without a shape, meshes that cannot be read or do not suit the detection.
std::shared_ptr<const PcmSystem> make_mesh_contacts(const SceneData& scene,
                                                    const std::vector<Rover>& rovers,
                                                    Assembly& assembly);

}  // namespace grouser::internal
