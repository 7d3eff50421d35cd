#include "render/camera.h"

#include <algorithm>
#include <cmath>

namespace grouser::internal {

Camera look_at(const Vec3& eye, const Vec3& target, const Vec3& up) {
  const Vec3 forward = (target - eye).normalized();
  Vec3 right = forward.cross(up);
  if (right.norm() < 1e-6) right = forward.cross(Vec3::UnitY());  // straight up or down
  if (right.norm() < 1e-6) right = Vec3::UnitX();
  right.normalize();
  Camera camera;
  camera.X_WC.R << right, forward.cross(right), forward;
  camera.X_WC.p = eye;
  return camera;
}

Camera frame_box(const Aabb& box, const Vec3& direction, double aspect) {
  const Vec3 target = box.centre();
  Camera camera = look_at(target - direction.normalized(), target);
  constexpr double kMargin = 1.06;  // air around the box
  const double tan_x = std::tan(0.5 * camera.field_of_view) / kMargin, tan_y = tan_x / aspect;
  // Each corner must lie within the pyramid of sight: d + z >= |x| / tan_x, and so for y.
  double distance = 1e-6;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p((corner & 1) != 0 ? box.upper.x() : box.lower.x(),
                 (corner & 2) != 0 ? box.upper.y() : box.lower.y(),
                 (corner & 4) != 0 ? box.upper.z() : box.lower.z());
    const Vec3 p_C = camera.X_WC.R.transpose() * (p - target);
    distance = std::max(
        {distance, std::abs(p_C.x()) / tan_x - p_C.z(), std::abs(p_C.y()) / tan_y - p_C.z()});
  }
  camera.X_WC.p = target - distance * direction.normalized();
  return camera;
}

}  // namespace grouser::internal
