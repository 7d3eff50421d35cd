#include "multibody/jacobian.h"

namespace grouser::internal {

void point_jacobian(const Model& model, const Kinematics& kinematics, int body, const Vec3& p_W,
                    Eigen::Ref<MatX> J) {
  J.setZero();
  for_each_jacobian_column(model, kinematics, body, p_W, [&J](int dof, const Twist& column) {
    J.col(dof) << column.angular, column.linear;
  });
}

void add_wrench(const Model& model, const Kinematics& kinematics, int body, const Vec3& p_W,
                const Wrench& F, double* tau) {
  for_each_jacobian_column(model, kinematics, body, p_W,
                           [&](int dof, const Twist& column) { tau[dof] += power(F, column); });
}

}  // namespace grouser::internal
