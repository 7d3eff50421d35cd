#include "math/rotation.h"

#include <cmath>

namespace grouser::internal {

Mat3 rotation_about(const Vec3& axis, double angle) {
  const double s = std::sin(angle), c = std::cos(angle);
  return c * Mat3::Identity() + s * skew(axis) + (1 - c) * axis * axis.transpose();
}

Mat3 rotation_from_rpy(const Vec3& roll_pitch_yaw) {
  return rotation_about(Vec3::UnitZ(), roll_pitch_yaw.z()) *
         rotation_about(Vec3::UnitY(), roll_pitch_yaw.y()) *
         rotation_about(Vec3::UnitX(), roll_pitch_yaw.x());
}

Vec3 rpy_from_rotation(const Mat3& R) {
  const double sin_pitch = -R(2, 0);
  const double cos_pitch = std::hypot(R(0, 0), R(1, 0));
  // Closer to a pole than this, roll and yaw are not separable in double precision.
  constexpr double kPole = 1e-12;
  if (cos_pitch < kPole) {
    return {0, std::copysign(std::acos(0.0), sin_pitch), std::atan2(-R(0, 1), R(1, 1))};
  }
  const double yaw = std::atan2(R(1, 0), R(0, 0));
  // Roll is what is left when the yaw is undone: near a pole each of them is uncertain, but not
  // the rotation they make together.
  const double s = std::sin(yaw), c = std::cos(yaw);
  const double roll = std::atan2(s * R(0, 2) - c * R(1, 2), c * R(1, 1) - s * R(0, 1));
  return {roll, std::atan2(sin_pitch, cos_pitch), yaw};
}

Mat3 rotation_from_wxyz(const double* wxyz) {
  const double w = wxyz[0], x = wxyz[1], y = wxyz[2], z = wxyz[3];
  const double s = 2 / (w * w + x * x + y * y + z * z);
  Mat3 R;
  R << 1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y),  //
      s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x),   //
      s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y);
  return R;
}

void wxyz_from_rotation(const Mat3& R, double* wxyz) {
  Quat q(R);
  q.normalize();
  const double sign = q.w() < 0 ? -1 : 1;
  wxyz[0] = sign * q.w();
  wxyz[1] = sign * q.x();
  wxyz[2] = sign * q.y();
  wxyz[3] = sign * q.z();
}

void wxyz_rate(const double* wxyz, const Vec3& omega_F, double* rate) {
  const double w = wxyz[0];
  const Vec3 v(wxyz[1], wxyz[2], wxyz[3]);
  rate[0] = -0.5 * omega_F.dot(v);
  const Vec3 vector_rate = 0.5 * (w * omega_F + omega_F.cross(v));
  rate[1] = vector_rate.x();
  rate[2] = vector_rate.y();
  rate[3] = vector_rate.z();
}

void wxyz_rotate(double* wxyz, const Vec3& phi_F) {
  const double angle = phi_F.norm();
  // sin(x/2)/x by its series below this angle: the next term is 1e-17 of the first.
  constexpr double kSmall = 1e-4;
  const double scale = angle < kSmall ? 0.5 - angle * angle / 48 : std::sin(0.5 * angle) / angle;
  const Quat turn(std::cos(0.5 * angle), scale * phi_F.x(), scale * phi_F.y(), scale * phi_F.z());
  const Quat q = turn * Quat(wxyz[0], wxyz[1], wxyz[2], wxyz[3]);
  wxyz[0] = q.w();
  wxyz[1] = q.x();
  wxyz[2] = q.y();
  wxyz[3] = q.z();
  wxyz_normalize(wxyz);
}

double wxyz_normalize(double* wxyz) {
  const double norm =
      std::sqrt(wxyz[0] * wxyz[0] + wxyz[1] * wxyz[1] + wxyz[2] * wxyz[2] + wxyz[3] * wxyz[3]);
  for (int i = 0; i < 4; ++i) wxyz[i] /= norm;
  return norm;
}

Vec3 rotation_vector(const Mat3& R) {
  const Eigen::AngleAxisd angle_axis(R);
  return angle_axis.angle() * angle_axis.axis();
}

Mat3 frame_with_z(const Vec3& z) {
  // Cross with the coordinate axis that is farthest from z.
  Eigen::Index smallest = 0;
  z.cwiseAbs().minCoeff(&smallest);
  const Vec3 x = z.cross(Vec3::Unit(smallest)).normalized();
  Mat3 R;
  R << x, z.cross(x), z;
  return R;
}

}  // namespace grouser::internal
