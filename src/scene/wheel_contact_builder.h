#pragma once

#include <vector>

#include "contact/scm/scm_system.h"
#include "contact/wheel/wheel_system.h"
#include "scene/assembly.h"

namespace grouser::internal {

/// The wheels of a scene that stand on the ground by the fast models. `soil_contacts` are bodies that touch it
/// already. Reports names that are unknown and soils that a model cannot take.
std::vector<WheelContact> make_wheel_contacts(const SceneData& scene,
                                              const std::vector<Rover>& rovers,
                                              const std::vector<ScmContact>& soil_contacts,
                                              Assembly& assembly);

}  // namespace grouser::internal
