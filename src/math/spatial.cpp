#include "math/spatial.h"

#include <Eigen/Eigenvalues>

namespace grouser::internal {

RigidInertia combined(const RigidInertia& A, const RigidInertia& B_in_A) {
  RigidInertia sum;
  sum.mass = A.mass + B_in_A.mass;
  if (sum.mass <= 0) return sum;
  sum.com = (A.mass * A.com + B_in_A.mass * B_in_A.com) / sum.mass;
  for (const RigidInertia* part : {&A, &B_in_A}) {
    const Vec3 d = part->com - sum.com;
    sum.about_com +=
        part->about_com + part->mass * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
  }
  return sum;
}

RigidInertia transformed(const Pose& X_AB, const RigidInertia& B) {
  return {B.mass, X_AB * B.com, X_AB.R * B.about_com * X_AB.R.transpose()};
}

const char* physical_defect(const RigidInertia& inertia) {
  if (!std::isfinite(inertia.mass) || !inertia.com.allFinite() || !inertia.about_com.allFinite()) {
    return "the mass properties must be finite numbers";
  }
  if (inertia.mass < 0) return "the mass must not be negative";
  const Mat3& I = inertia.about_com;
  const double scale = I.cwiseAbs().maxCoeff();
  if (scale == 0) return "";
  // Symmetric and triangle checks to rounding: data files carry six digits at best.
  constexpr double kRelativeSlack = 1e-6;
  if ((I - I.transpose()).cwiseAbs().maxCoeff() > kRelativeSlack * scale) {
    return "the inertia matrix must be symmetric";
  }
  const Vec3 principal = Eigen::SelfAdjointEigenSolver<Mat3>(I).eigenvalues();  // ascending
  if (principal[0] < -kRelativeSlack * scale) {
    return "the principal moments of inertia must not be negative";
  }
  if (principal[0] + principal[1] < principal[2] - kRelativeSlack * scale) {
    return "the principal moments of inertia break the triangle inequality: no body has them";
  }
  if (inertia.mass == 0) return "a body without mass cannot have inertia";
  return "";
}

}  // namespace grouser::internal
