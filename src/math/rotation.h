#pragma once

#include "math/spatial.h"

namespace grouser::internal {

/// Rotation by `angle` [rad] about the unit vector `axis`.
Mat3 rotation_about(const Vec3& axis, double angle);

/// R = Rz(yaw) Ry(pitch) Rx(roll), the convention of URDF; angles in [rad].
Mat3 rotation_from_rpy(const Vec3& roll_pitch_yaw);

/// Inverse of rotation_from_rpy; pitch in [-π/2, π/2], at the poles roll is zero.
Vec3 rpy_from_rotation(const Mat3& R);

/// Quaternion stored as (w, x, y, z); need not have unit norm, its direction counts.
Mat3 rotation_from_wxyz(const double* wxyz);

/// Writes the unit quaternion (w, x, y, z) with w >= 0.
void wxyz_from_rotation(const Mat3& R, double* wxyz);

/// Time derivative of the quaternion (w, x, y, z) of R_FM at the angular velocity `omega_F` [rad/s]
/// of M in F, expressed in F: q̇ = ½ (0, ω) q.
void wxyz_rate(const double* wxyz, const Vec3& omega_F, double* rate);

/// Rotates the quaternion by the finite rotation vector `phi_F` [rad] expressed in F and
/// normalises it: q ← exp(½ φ) q.
void wxyz_rotate(double* wxyz, const Vec3& phi_F);

/// Scales the quaternion to unit norm. Returns the norm it had.
double wxyz_normalize(double* wxyz);

/// Rotation vector [rad] of R, norm in [0, π].
Vec3 rotation_vector(const Mat3& R);

/// Any rotation whose z axis is the given unit vector.
Mat3 frame_with_z(const Vec3& z);

}  // namespace grouser::internal
