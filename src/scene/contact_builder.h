#pragma once

#include <vector>

#include "contact/scm/scm_system.h"
#include "scene/assembly.h"

namespace grouser::internal {

/// The bodies of a scene that press into its soil. Shapes are meshed as fine as the soil's grid; equal
/// ones are shared. Reports names that are unknown and meshes that will not do.
std::vector<ScmContact> make_soil_contacts(const SceneData& scene, const std::vector<Rover>& rovers,
                                           Assembly& assembly);

}  // namespace grouser::internal
