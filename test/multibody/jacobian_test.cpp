#include "multibody/jacobian.h"

#include <gtest/gtest.h>

#include "math/finite_difference.h"
#include "multibody/test_models.h"

namespace grouser::internal {
namespace {

/// Column k by differences of the body's pose as velocity k alone moves the system.
Vec6 column_by_differences(const RandomSystem& s, int body, const Vec3& p_B, int k) {
  const VecX unit = VecX::Unit(s.model.velocity_size(), k);
  const std::size_t b = static_cast<std::size_t>(body);
  const auto pose = [&](double t) {
    const Pose X = kinematics_at(s.model, advanced(s.model, s.q, unit, t), s.v).X_WB[b];
    Eigen::Matrix<double, 3, 4> both;
    both << X.R, X * p_B;
    return both;
  };
  const Eigen::Matrix<double, 3, 4> rate = derivative(pose, 2e-2);
  const Mat3 spin = rate.leftCols<3>() * s.kinematics.X_WB[b].R.transpose();
  Vec6 column;
  column << spin(2, 1), spin(0, 2), spin(1, 0), rate.col(3);
  return column;
}

TEST(PointJacobian, EqualsDifferencesOfPoses) {
  for (std::uint64_t seed = 0; seed < kRandomSystems; ++seed) {
    RandomSystem s(seed);
    const int body = s.model.body_count() - 1;
    const Vec3 p_B = random_vec3(s.rng);
    MatX J(6, s.model.velocity_size()), expected(6, s.model.velocity_size());
    point_jacobian(s.model, s.kinematics, body, position_of(s.kinematics, {body, p_B}), J);
    for (int k = 0; k < s.model.velocity_size(); ++k) {
      expected.col(k) = column_by_differences(s, body, p_B, k);
    }
    EXPECT_LE(relative_error(J, expected, 1), 1e-10) << seed;  // measured 3e-14
  }
}

TEST(PointJacobian, TimesVelocityIsTheTwist) {
  for (std::uint64_t seed = 0; seed < kRandomSystems; ++seed) {
    RandomSystem s(seed);
    MatX J(6, s.model.velocity_size());
    for (int body = 0; body < s.model.body_count(); ++body) {
      const Vec3 p_W = random_vec3(s.rng, 3);
      point_jacobian(s.model, s.kinematics, body, p_W, J);
      const Twist V = twist_at(s.model, s.kinematics, body, p_W);
      Vec6 twist;
      twist << V.angular, V.linear;
      EXPECT_LE(relative_error(J * s.v, twist, 1), 1e-13) << seed;  // measured 9e-16
    }
  }
}

TEST(PointJacobian, OfTheWorldIsZero) {
  const RandomSystem s(0);
  MatX J = MatX::Ones(6, s.model.velocity_size());
  point_jacobian(s.model, s.kinematics, kWorld, {1, 2, 3}, J);
  EXPECT_EQ(J, MatX::Zero(6, s.model.velocity_size()));
}

TEST(AddWrench, AddsTheTransposedJacobianTimesTheWrench) {
  for (std::uint64_t seed = 0; seed < kRandomSystems; ++seed) {
    RandomSystem s(seed);
    MatX J(6, s.model.velocity_size());
    for (int body = 0; body < s.model.body_count(); ++body) {
      const Wrench& F = s.wrenches[static_cast<std::size_t>(body)];
      const Vec3 p_W = random_vec3(s.rng, 3);
      VecX tau = s.tau;
      add_wrench(s.model, s.kinematics, body, p_W, F, tau.data());
      point_jacobian(s.model, s.kinematics, body, p_W, J);
      Vec6 load;
      load << F.torque, F.force;
      EXPECT_LE(relative_error(tau, s.tau + J.transpose() * load), 1e-13)
          << seed;  // measured 4e-16
    }
  }
}

TEST(AddWrench, LeverOfAPendulum) {
  // 3 N along x at the end of a rod that hangs 1 m below its pivot turns it by 1 m · 3 N the
  // negative way about y: r × F = (0, 0, -1) × (3, 0, 0).
  const Model model(pendulum_chain(1));
  const Kinematics k = kinematics_at(model, VecX::Zero(1), VecX::Zero(1));
  VecX tau = VecX::Zero(1);
  add_wrench(model, k, 0, {0, 0, -1}, {Vec3::Zero(), {3, 0, 0}}, tau.data());
  EXPECT_NEAR(tau[0], -3, 1e-14);  // measured 0
}

}  // namespace
}  // namespace grouser::internal
