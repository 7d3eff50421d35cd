#pragma once

#include <span>

#include "contact/pcm/patch.h"
#include "contact/pcm/pcm_scene.h"

namespace grouser::internal {

/// How fast the forces of a patch fall as the base moves against the target: damping · C + stiffness · K of its
/// elements, about the base's origin, axes of the base, rows and columns 0-2 angular, 3-5 linear. Symmetric, positive
/// semidefinite. Elements that stop or begin to touch are not foreseen; pressure under friction is taken as it is.
Mat6 pcm_slopes(const PcmPair& pair, std::span<const PatchElement> patch, double damping,
                double stiffness);

}  // namespace grouser::internal
