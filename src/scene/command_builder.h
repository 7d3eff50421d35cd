#pragma once

#include <vector>

#include "scene/assembly.h"

namespace grouser::internal {

/// What drives a world, in the form of World.
struct Commands {
  std::vector<JointCommand> joint_commands;
  std::vector<PathCommand> path_commands;
};

/// Resolves the commands of a scene and sets the initial values of prescribed joints. Actuators that
/// nobody commands get none: the simulation then holds their initial position.
Commands make_commands(const SceneData& scene, const std::vector<Rover>& rovers,
                       Assembly& assembly);

std::vector<EventSpec> make_events(const SceneData& scene, Assembly& assembly);

}  // namespace grouser::internal
