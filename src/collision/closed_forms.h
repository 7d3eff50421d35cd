#pragma once

#include "collision/difference.h"

/// Pairs whose overlap has a formula, or a shorter search than that of any two solids. Each returns false if the solids do not overlap; X_AB places B in A's
/// frame, in which the result is given.
namespace grouser::internal {

bool penetrate(const SphereShape& A, const SphereShape& B, const Pose& X_AB, Penetration& found);
bool penetrate(const SphereShape& A, const BoxShape& B, const Pose& X_AB, Penetration& found);
bool penetrate(const SphereShape& A, const CylinderShape& B, const Pose& X_AB, Penetration& found);
bool penetrate(const SphereShape& A, const CapsuleShape& B, const Pose& X_AB, Penetration& found);
bool penetrate(const CapsuleShape& A, const CapsuleShape& B, const Pose& X_AB, Penetration& found);
bool penetrate(const BoxShape& A, const BoxShape& B, const Pose& X_AB, Penetration& found);
bool penetrate(const BoxShape& A, const CylinderShape& B, const Pose& X_AB, Penetration& found);
bool penetrate(const BoxShape& A, const CapsuleShape& B, const Pose& X_AB, Penetration& found);
bool penetrate(const CylinderShape& A, const CapsuleShape& B, const Pose& X_AB, Penetration& found);
bool penetrate(const SphereShape& A, const HullSolid& B, const Pose& X_AB, Penetration& found);
bool penetrate(const CapsuleShape& A, const HullSolid& B, const Pose& X_AB, Penetration& found);
bool penetrate(const CylinderShape& A, const CylinderShape& B, const Pose& X_AB,
               Penetration& found);

}  // namespace grouser::internal
