#pragma once

#include <optional>
#include <string>

#include "scene/tree_survey.h"

namespace grouser::internal {

/// What rolls: a circle of revolution about an axis.
struct RoundShape {
  double radius = 0;         ///< [m], > 0
  double low = 0, high = 0;  ///< extent along the axis, from the body's origin [m]
  bool is_crooked = false;   ///< a cylinder whose own axis is another
  bool is_sphere = false;
  bool is_mesh = false;

  double width() const { return high - low; }
  double middle() const { return (high + low) / 2; }
};

/// How a shape that stands in a body at X_BS rolls about an axis through the body's origin (unit); nothing if
/// it is not round about it. Of meshes the outline counts. Throws Error if a mesh file cannot be read.
std::optional<RoundShape> round_about(const VisualData& shape, const Pose& X_BS, const Vec3& axis);

/// Height of the lowest point [m] of a box, sphere or cylinder that stands at X_RS; nothing of others.
std::optional<double> lowest_point(const VisualData& shape, const Pose& X_RS);

/// What a body and those welded to it roll with, about the axis of the joint of `group`, from the collision
/// shapes or, without any, from the visuals. `why_not` says what is there instead.
std::optional<RoundShape> rolling_shape(const TreeSurvey& survey, int group, std::string& why_not);

}  // namespace grouser::internal
