#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "collision/convex.h"
#include "core/error.h"
#include "terrain/elevation_map.h"

namespace grouser::internal {

/// A convex piece of a collider.
struct ContactPart {
  Convex shape;
  Pose X_EC;  ///< its frame in the collider
};

/// A solid fixed to a body. Several parts make a compound: they may overlap, and share body and group.
struct Collider {
  static constexpr int kFixed = -1;    ///< body of a collider that is fixed to the world
  static constexpr int kNoGroup = -1;  ///< may touch everything

  int body = kFixed;
  Pose X_BE;  ///< frame of the collider in its body; in W if fixed
  std::vector<ContactPart> parts;
  int group = kNoGroup;  ///< colliders of one group (>= 0) never touch each other
};

/// Ground, solid below its surface, however deep; beyond the map's domain it goes on at the height of the nearest point.
struct GroundCollider {
  std::shared_ptr<const ElevationMap> map;
  int group = Collider::kNoGroup;
};

/// A rim with straight grousers, the axle along y, as in the wheel bodies of the rovers.
struct WheelContactSpec {
  double radius = 0.129;             ///< of the rim [m], > 0
  double width = 0.1;                ///< along the axle [m], > 0
  int grousers = 0;                  ///< evenly spread; the first stands on top, towards z
  double grouser_height = 0.008;     ///< above the rim [m], > 0 if there are grousers
  double grouser_thickness = 0.003;  ///< around the axle [m], > 0 and < 2 radius if there are any
};

/// A cylinder, and a cuboid per grouser that reaches into it far enough to close the gap under its foot.
/// Throws Error(input) naming every field that is out of range.
std::vector<ContactPart> wheel_parts(const WheelContactSpec& spec);

/// The convex hull around points. Throws Error(input) as convex_hull() does.
ContactPart hull_part(std::span<const Vec3> points, const Pose& X_EC = {});

/// Adds what is wrong: no parts, sizes that are not positive, a frame that is no rotation, no hull. `place` leads the
/// names of the fields.
void check(const Collider& collider, const std::string& place, IssueList& issues);
void check(const GroundCollider& ground, const std::string& place, IssueList& issues);

/// Box around all parts, in the collider's frame.
Aabb local_bounds(const Collider& collider);

}  // namespace grouser::internal
