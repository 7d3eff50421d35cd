#include "sim/body_motion_arrays.h"

namespace grouser::internal {

BodyMotions BodyMotionArrays::fill(const Model& model, const Kinematics& kinematics) {
  const std::size_t count = kinematics.X_WB.size();
  V_WR_.resize(count);
  p_WR_.resize(count);
  for (std::size_t b = 0; b < count; ++b) {
    V_WR_[b] = {kinematics.V[b].angular(), kinematics.V[b].linear()};
    p_WR_[b] = kinematics.p_WO[at(model.joints()[b].tree)];
  }
  return motions(kinematics);
}

}  // namespace grouser::internal
