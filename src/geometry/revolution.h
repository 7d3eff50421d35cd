#pragma once

#include <span>
#include <vector>

#include "geometry/tri_mesh.h"

namespace grouser::internal {

/// The solid swept by a profile of points (distance from the z axis, z) [m] that begins below and
/// ends above on the axis; the points between are off the axis. `segments` >= 3 around, the first
/// at the x axis.
TriMesh solid_of_revolution(std::span<const Vec2> profile, int segments);

/// Profile of a capsule: `arcs` >= 1 pieces on each quarter circle, `rings` >= 1 on the mantle.
std::vector<Vec2> capsule_profile(double radius, double length, int arcs, int rings);

}  // namespace grouser::internal
