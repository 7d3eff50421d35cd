#pragma once

#include <vector>

#include "scene/assembly.h"
#include "sim/world.h"

/// Rovers that a scene sets on their wheels by `place`.
namespace grouser::internal {

/// Reports what cannot stand: without wheels, without ground, without a free base.
void check_stands(const SceneData& scene, const std::vector<Rover>& rovers,
                  const Assembly& assembly);

/// Sets them on the ground of a finished World, in its initial state, and logs how they stand; reports those that
/// cannot stand there.
void stand_rovers(const SceneData& scene, const Assembly& assembly, World& world);

}  // namespace grouser::internal
