#pragma once

#include "multibody/kinematics.h"

namespace grouser::internal {

/// Calls visit(dof, column) for every velocity that moves `body`, with `column` the twist at p_W,
/// axes of W, of a unit rate. From the body towards the root.
template <class Visit>
void for_each_jacobian_column(const Model& model, const Kinematics& kinematics, int body,
                              const Vec3& p_W, Visit&& visit) {
  if (body == kWorld) return;
  const Joint& own = model.joints()[static_cast<std::size_t>(body)];
  const Vec3 r = p_W - kinematics.p_WO[static_cast<std::size_t>(own.tree)];
  for (int b = body; b != kWorld; b = model.joints()[static_cast<std::size_t>(b)].parent) {
    const Joint& joint = model.joints()[static_cast<std::size_t>(b)];
    for (int k = joint.v + joint.nv - 1; k >= joint.v; --k) {
      const Spatial& S = kinematics.S[static_cast<std::size_t>(k)];
      visit(k, Twist{S.angular(), S.linear()}.shifted(r));
    }
  }
}

/// Geometric Jacobian of a point fixed in a body: rows 0-2 angular, 3-5 linear velocity, axes of W.
/// J must be 6 × velocity_size and is overwritten.
void point_jacobian(const Model& model, const Kinematics& kinematics, int body, const Vec3& p_W,
                    Eigen::Ref<MatX> J);

/// Adds Jᵀ F of a wrench at p_W (axes of W) on a body to the generalised forces tau.
void add_wrench(const Model& model, const Kinematics& kinematics, int body, const Vec3& p_W,
                const Wrench& F, double* tau);

}  // namespace grouser::internal
