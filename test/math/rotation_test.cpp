#include "math/rotation.h"

#include <array>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "core/rng.h"
#include "math/finite_difference.h"

namespace grouser::internal {
namespace {

using Wxyz = std::array<double, 4>;

Vec3 random_vec3(CounterRng& rng, double scale) {
  const double x = rng.uniform(-scale, scale), y = rng.uniform(-scale, scale);
  return {x, y, rng.uniform(-scale, scale)};
}

Wxyz random_wxyz(CounterRng& rng) {
  Wxyz q;
  for (double& entry : q) entry = rng.normal();
  wxyz_normalize(q.data());
  return q;
}

double distance(const Mat3& A, const Mat3& B) { return (A - B).cwiseAbs().maxCoeff(); }

/// Eigen's own rotations are the independent reference of this file.
Mat3 eigen_rotation(const Vec3& rotation_vector) {
  if (rotation_vector.isZero(0)) return Mat3::Identity();
  return Eigen::AngleAxisd(rotation_vector.norm(), rotation_vector.normalized()).toRotationMatrix();
}

TEST(RotationAbout, QuarterTurnAboutZTakesXToY) {
  const Vec3 turned = rotation_about(Vec3::UnitZ(), std::numbers::pi / 2) * Vec3::UnitX();
  EXPECT_NEAR((turned - Vec3::UnitY()).norm(), 0, 1e-14);  // measured 7e-17
}

TEST(RotationAbout, EqualsEigen) {
  CounterRng rng(1);
  for (int i = 0; i < 100; ++i) {
    const Vec3 axis = random_vec3(rng, 1).normalized();
    const double angle = rng.uniform(-7, 7);
    EXPECT_NEAR(distance(rotation_about(axis, angle), eigen_rotation(angle * axis)), 0,
                1e-14);  // measured 1e-15
  }
}

TEST(Rpy, TurnsAboutTheFixedAxesXThenYThenZ) {
  // A quarter roll takes y to z, then a quarter pitch takes z to x, then a quarter yaw x to y.
  const Mat3 R =
      rotation_from_rpy({std::numbers::pi / 2, std::numbers::pi / 2, std::numbers::pi / 2});
  EXPECT_NEAR((R * Vec3::UnitY() - Vec3::UnitY()).norm(), 0, 1e-14);  // measured 7e-17
  // Roll leaves x, pitch takes it to -z, yaw leaves that.
  EXPECT_NEAR((R * Vec3::UnitX() + Vec3::UnitZ()).norm(), 0, 1e-14);  // measured 7e-17
}

TEST(Rpy, AnglesComeBack) {
  CounterRng rng(2);
  for (int i = 0; i < 100; ++i) {
    const Vec3 rpy(rng.uniform(-3.1, 3.1), rng.uniform(-1.5, 1.5), rng.uniform(-3.1, 3.1));
    const Vec3 back = rpy_from_rotation(rotation_from_rpy(rpy));
    EXPECT_NEAR((back - rpy).cwiseAbs().maxCoeff(), 0, 1e-14);  // measured 3e-16
  }
}

// Near a pole roll and yaw are hardly told apart, but the rotation they describe must be right.
TEST(Rpy, RotationComesBackHoweverNearThePole) {
  CounterRng rng(3);
  for (int i = 0; i < 20; ++i) {
    for (double gap = 1; gap > 1e-17; gap /= 3) {
      for (const double side : {1.0, -1.0}) {
        // There and back again by another rotation leaves rounding in all entries.
        const Mat3 S = rotation_from_rpy(random_vec3(rng, 3));
        const Mat3 R = S.transpose() * (S * rotation_from_rpy({rng.uniform(-3, 3),
                                                               side * (std::numbers::pi / 2 - gap),
                                                               rng.uniform(-3, 3)}));
        const Vec3 rpy = rpy_from_rotation(R);
        EXPECT_LE(std::abs(rpy.y()), std::numbers::pi / 2);
        EXPECT_NEAR(distance(rotation_from_rpy(rpy), R), 0, 2e-12)
            << "gap " << gap;  // measured 4e-13
      }
    }
  }
}

TEST(Rpy, RollIsZeroAtThePoles) {
  for (const double side : {1.0, -1.0}) {
    const Mat3 R = rotation_from_rpy({0.4, side * std::numbers::pi / 2, 0.7});
    const Vec3 rpy = rpy_from_rotation(R);
    EXPECT_EQ(rpy.x(), 0);
    EXPECT_EQ(rpy.y(), side * std::numbers::pi / 2);
    // Where z points down, roll and yaw turn the same way about it; else the opposite way.
    EXPECT_NEAR(rpy.z(), 0.7 - side * 0.4, 1e-14);  // measured 3e-16
  }
}

TEST(Quaternion, RotationEqualsEigenWhateverTheNorm) {
  CounterRng rng(4);
  for (int i = 0; i < 100; ++i) {
    Wxyz q = random_wxyz(rng);
    const Mat3 R = Quat(q[0], q[1], q[2], q[3]).toRotationMatrix();
    const double scale = rng.uniform(0.1, 10);
    for (double& entry : q) entry *= scale;
    EXPECT_NEAR(distance(rotation_from_wxyz(q.data()), R), 0, 1e-14);  // measured 9e-16
  }
}

TEST(Quaternion, ComesBackFromItsRotationWithPositiveW) {
  CounterRng rng(5);
  for (int i = 0; i < 200; ++i) {
    // Half of them turn by nearly half a turn, where w vanishes.
    const double angle =
        i % 2 ? std::numbers::pi - rng.uniform(0, 1e-7) : rng.uniform(0, std::numbers::pi);
    const Mat3 R = eigen_rotation(angle * random_vec3(rng, 1).normalized());
    Wxyz q;
    wxyz_from_rotation(R, q.data());
    EXPECT_GE(q[0], 0);
    EXPECT_NEAR(Eigen::Map<Eigen::Vector4d>(q.data()).norm(), 1, 1e-14);  // measured 2e-16
    EXPECT_NEAR(distance(rotation_from_wxyz(q.data()), R), 0, 1e-14);     // measured 8e-16
  }
}

TEST(Quaternion, RateEqualsFiniteDifferences) {
  CounterRng rng(6);
  for (int i = 0; i < 50; ++i) {
    const Wxyz q = random_wxyz(rng);
    const Vec3 omega = random_vec3(rng, 2);
    Eigen::Vector4d rate;
    wxyz_rate(q.data(), omega, rate.data());
    const auto turned = [&](double t) -> Eigen::Vector4d {
      const Quat p = Quat(Eigen::AngleAxisd(t * omega.norm(), omega.normalized())) *
                     Quat(q[0], q[1], q[2], q[3]);
      return {p.w(), p.x(), p.y(), p.z()};
    };
    EXPECT_NEAR((rate - derivative(turned)).norm(), 0, 1e-12);  // measured 9e-14
  }
}

TEST(Quaternion, RotateEqualsEigenAtEveryAngle) {
  CounterRng rng(7);
  for (double angle = 3; angle > 1e-15; angle /= 1.7) {
    const Vec3 phi = angle * random_vec3(rng, 1).normalized();
    Wxyz q = random_wxyz(rng);
    const Mat3 R = rotation_from_wxyz(q.data());
    wxyz_rotate(q.data(), phi);
    EXPECT_NEAR(Eigen::Map<Eigen::Vector4d>(q.data()).norm(), 1, 1e-14);  // measured 3e-16
    EXPECT_NEAR(distance(rotation_from_wxyz(q.data()), eigen_rotation(phi) * R), 0, 1e-14)
        << "angle " << angle;  // measured 8e-16
  }
}

// Steps that are tiny against the present rotation must not be lost or distorted.
TEST(Quaternion, RotateKeepsTheDigitsOfSmallAngles) {
  for (double angle = 1; angle > 1e-100; angle /= 7) {
    Wxyz q = {1, 0, 0, 0};
    wxyz_rotate(q.data(), {0, angle, 0});
    EXPECT_NEAR(q[2] / std::sin(angle / 2), 1, 1e-14) << "angle " << angle;  // measured 3e-16
  }
}

TEST(Quaternion, NormalizeReturnsTheOldNorm) {
  Wxyz q = {2, -4, 5, 6};  // 4 + 16 + 25 + 36 = 81
  EXPECT_EQ(wxyz_normalize(q.data()), 9);
  EXPECT_EQ(q, (Wxyz{2.0 / 9, -4.0 / 9, 5.0 / 9, 6.0 / 9}));
}

TEST(RotationVector, UndoesTheExponential) {
  CounterRng rng(8);
  for (double angle = std::numbers::pi - 1e-6; angle > 1e-9; angle /= 1.3) {
    const Vec3 phi = angle * random_vec3(rng, 1).normalized();
    const Vec3 back = rotation_vector(rotation_about(phi.normalized(), angle));
    EXPECT_NEAR((back - phi).norm() / angle, 0, 1e-14) << "angle " << angle;  // measured 6e-16
  }
}

TEST(RotationVector, NeverTurnsMoreThanHalfATurn) {
  const Vec3 phi = rotation_vector(rotation_about(Vec3::UnitX(), 1.5 * std::numbers::pi));
  EXPECT_NEAR((phi + std::numbers::pi / 2 * Vec3::UnitX()).norm(), 0, 1e-14);  // measured 3e-16
  EXPECT_EQ(rotation_vector(Mat3::Identity()), Vec3::Zero());
}

TEST(FrameWithZ, IsARotationOntoTheAxis) {
  CounterRng rng(9);
  std::vector<Vec3> axes = {Vec3::UnitX(),  Vec3::UnitY(),  Vec3::UnitZ(),
                            -Vec3::UnitX(), -Vec3::UnitY(), -Vec3::UnitZ()};
  for (int i = 0; i < 100; ++i) axes.push_back(random_vec3(rng, 1).normalized());
  for (const Vec3& axis : axes) {
    const Mat3 R = frame_with_z(axis);
    EXPECT_EQ(Vec3(R.col(2)), axis);
    EXPECT_NEAR(distance(R * R.transpose(), Mat3::Identity()), 0, 1e-14);  // measured 7e-16
    EXPECT_NEAR(R.determinant(), 1, 1e-14);                                // measured 5e-16
  }
}

}  // namespace
}  // namespace grouser::internal
