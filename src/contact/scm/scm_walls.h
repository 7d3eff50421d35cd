#pragma once

#include "contact/scm/scm_force.h"

namespace grouser::internal {

/// Adds what the walls around a footprint do to the body, once scm_force() has found the laws of its cells.
/// A wall that the body pushes out gives way upward. It resists with a part of what a plate would bear at
/// each depth (ShearLaw::passive_part), whose integral is a force per length of wall. It acts where the body
/// has moved against the wall, mobilised as shear is, and rubs along it. X_back leads from this pose to the committed one, in W;
/// `push` is ScmBodyMemory::push.
void add_walls(const Pose& X_WB, const Pose& X_back, const Vec2& push, const ScmOptions& options,
               ScmScratch& scratch);

}  // namespace grouser::internal
