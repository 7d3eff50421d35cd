#pragma once

#include <numbers>

#include "geometry/aabb.h"

namespace grouser::internal {

/// A pinhole camera. Its frame C: x to the right, y down, z forward.
struct Camera {
  Pose X_WC;
  double field_of_view = std::numbers::pi / 5;  ///< across the picture's width [rad], in (0, π)
};

/// At `eye`, looking at `target` != eye, with `up` upward in the picture.
Camera look_at(const Vec3& eye, const Vec3& target, const Vec3& up = Vec3::UnitZ());

/// Seen along `direction`, from so far that the whole box is in the picture; `aspect` is its width
/// over its height.
Camera frame_box(const Aabb& box, const Vec3& direction, double aspect);

}  // namespace grouser::internal
