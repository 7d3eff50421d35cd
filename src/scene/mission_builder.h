#pragma once

#include <optional>
#include <vector>

#include "scene/assembly.h"

namespace grouser::internal {

struct Commands;

/// The electrical power of a scene; limits the actuators by the motors behind them. Nothing without.
std::optional<RoverPower> make_power(const SceneData& scene, const std::vector<Rover>& rovers,
                                     Assembly& assembly);

/// The mission of a scene, without activities if there is none. `power`: of the same scene.
Mission make_mission(const SceneData& scene, const std::vector<Rover>& rovers,
                     const Commands& commands, const std::optional<RoverPower>& power,
                     Assembly& assembly);

/// The on-board controllers of a scene.
std::vector<OnboardControl> make_onboard(const SceneData& scene, const std::vector<Rover>& rovers,
                                         Assembly& assembly);

}  // namespace grouser::internal
