#pragma once

#include <vector>

#include "scene/assembly.h"

namespace grouser {

/// The wheels of a scene that stand on the ground by the fast models. `soil_contacts` are bodies that touch it
/// already. Reports names that are unknown and soils that a model cannot take.
std::vector<WheelContact> make_wheel_contacts(const SceneData& scene,
                                              const std::vector<Rover>& rovers,
                                              const std::vector<SoilContact>& soil_contacts,
                                              Assembly& assembly);

}  // namespace grouser
