#pragma once

#include <span>

#include "contact/pcm/patch.h"
#include "contact/pcm/pcm_scene.h"

namespace grouser::internal {

/// How the forces of a patch resist motion of the base against the target: damping · C + stiffness · K of its
/// elements, about the base's origin, axes of the base, rows and columns 0-2 angular, 3-5 linear. Symmetric, positive
/// semidefinite. Elements that begin or cease to touch are not foreseen; the pressure that friction depends on is held.
Mat6 pcm_stiffness(const PcmPair& pair, std::span<const PatchElement> patch, double damping,
                   double stiffness);

}  // namespace grouser::internal
