#pragma once

#include <cstdint>

#include "grouser/scene.h"

namespace grouser::internal {

/// A scene that a user might write, drawn at random: any built-in rover and soil, any model of contact, three
/// gravities, level or tilted, rough ground, rocks, wheels with grousers, steps of 1 to 4 ms, a path. The same for
/// the same seed.
Map random_scene(std::uint64_t seed);

}  // namespace grouser::internal
