#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

/// Spatial algebra. Frames stand in names: X_AB is the pose of frame B in frame A, R_AB its rotation,
/// p_AB the position of B's origin from A's origin expressed in A, V_WB the twist of B in W, F_B_W a
/// wrench on B expressed in W. Six-vectors are ordered angular, linear.
namespace grouser::internal {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat3 = Eigen::Matrix3d;
using Mat6 = Eigen::Matrix<double, 6, 6>;
using Quat = Eigen::Quaterniond;  // coefficients are kept as (w, x, y, z) wherever they are stored
using VecX = Eigen::VectorXd;
using MatX = Eigen::MatrixXd;
using VecXRef = Eigen::Ref<const VecX>;

/// Matrix of the cross product: skew(a) b = a × b.
inline Mat3 skew(const Vec3& a) {
  Mat3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

/// Rigid transform X_AB: a point given in B, p_B, is R p_B + p in A.
struct Pose {
  Mat3 R = Mat3::Identity();
  Vec3 p = Vec3::Zero();  ///< [m]

  Vec3 operator*(const Vec3& p_B) const { return R * p_B + p; }
  Pose operator*(const Pose& X_BC) const { return {R * X_BC.R, R * X_BC.p + p}; }
  Pose inverse() const { return {R.transpose(), -(R.transpose() * p)}; }
};

/// Velocity of a body: angular velocity and the velocity of the body-fixed point that is at the
/// stated reference point.
struct Twist {
  Vec3 angular = Vec3::Zero();  ///< [rad/s]
  Vec3 linear = Vec3::Zero();   ///< [m/s]

  /// The same motion at the reference point moved by `offset` [m].
  Twist shifted(const Vec3& offset) const { return {angular, linear + angular.cross(offset)}; }
};

/// Force and its torque about the stated reference point.
struct Wrench {
  Vec3 torque = Vec3::Zero();  ///< [N m]
  Vec3 force = Vec3::Zero();   ///< [N]

  /// The same load about the reference point moved by `offset` [m].
  Wrench shifted(const Vec3& offset) const { return {torque - offset.cross(force), force}; }
  Wrench& operator+=(const Wrench& other) {
    torque += other.torque;
    force += other.force;
    return *this;
  }
};

/// Mechanical power [W] of a load on a motion, both at the same point and in the same axes.
inline double power(const Wrench& F, const Twist& V) {
  return F.torque.dot(V.angular) + F.force.dot(V.linear);
}

/// Mass properties of a rigid body in its own frame B.
struct RigidInertia {
  double mass = 0;                ///< [kg]
  Vec3 com = Vec3::Zero();        ///< centre of mass in B [m]
  Mat3 about_com = Mat3::Zero();  ///< rotational inertia about `com`, axes of B [kg m²]

  /// Rotational inertia about the origin of B.
  Mat3 about_origin() const {
    return about_com + mass * (com.squaredNorm() * Mat3::Identity() - com * com.transpose());
  }
};

/// The bodies A and B welded together, in A's frame.
RigidInertia combined(const RigidInertia& A, const RigidInertia& B_in_A);

/// The inertia of B seen from A: X_AB places B's frame in A.
RigidInertia transformed(const Pose& X_AB, const RigidInertia& B);

/// Empty if the inertia is that of some real distribution of mass (mass >= 0, finite, principal
/// moments non-negative and obeying the triangle inequality); otherwise says what is wrong.
const char* physical_defect(const RigidInertia& inertia);

}  // namespace grouser::internal
