#pragma once

#include <vector>

#include "contact/body_motions.h"
#include "multibody/kinematics.h"
#include "multibody/model.h"

namespace grouser::internal {

/// Motions of the bodies of a Model, as contact systems take them.
class BodyMotionArrays {
 public:
  /// Twists refer to O of each tree. Holds as long as `kinematics` and this do not change.
  BodyMotions fill(const Model& model, const Kinematics& kinematics);
  /// Of kinematics that it was filled from last.
  BodyMotions motions(const Kinematics& kinematics) const {
    return {kinematics.X_WB, V_WR_, p_WR_};
  }

 private:
  std::vector<Twist> V_WR_;
  std::vector<Vec3> p_WR_;
};

}  // namespace grouser::internal
