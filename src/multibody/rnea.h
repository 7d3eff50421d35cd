#pragma once

#include "multibody/kinematics.h"

namespace grouser::internal {

/// Work space of rnea(); meaningless between calls.
struct RneaScratch {
  explicit RneaScratch(const Model& model);
  std::vector<Spatial> a;  ///< per body: acceleration at O, gravity included as upward motion
  std::vector<Spatial> f;  ///< per body: force through its joint at O
};

/// Recursive Newton–Euler: the generalised forces that give the accelerations `vdot` under the
/// wrenches (empty or one per body, at its origin, axes of W). Armature included; passive joint
/// laws are not. Featherstone (2008), table 5.1.
void rnea(const Model& model, const Kinematics& kinematics, const double* vdot,
          std::span<const Wrench> wrenches, RneaScratch& scratch, double* tau);

}  // namespace grouser::internal
