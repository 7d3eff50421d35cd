#pragma once

#include "contact/scm/scm_force.h"

namespace grouser::internal {

/// How the force of the soil on a body resists its motion: F ≈ F₀ - stiffness · δ - damping · V, with
/// δ and V angular before linear, at the body's origin, axes of W. Symmetric and positive semidefinite; an
/// estimate for implicit steps, not the exact derivative.
struct ScmStiffness {
  Mat6 stiffness = Mat6::Zero();
  Mat6 damping = Mat6::Zero();
};

/// Of the force that scm_force() left in the scratch. Each cell resists along its normal with the steeper of
/// loading and unloading, and across it with what it has mobilised over how far it was sheared. Walls around
/// the footprint and neighbours are left out.
ScmStiffness scm_stiffness(const ScmOptions& options, const ScmScratch& scratch);

}  // namespace grouser::internal
