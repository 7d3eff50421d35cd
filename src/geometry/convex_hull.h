#pragma once

#include <span>

#include "geometry/tri_mesh.h"

namespace grouser::internal {

struct HullOptions {
  /// Cap on the number of vertices, >= 4; 0 = all. Above it, the points that matter most are kept
  /// (greedily, by distance from the hull so far): the hull of them lies inside the full one.
  int max_vertices = 0;
};

/// Smallest convex solid around the points: closed, outward, without coplanar slivers' duplicates.
/// Throws Error(input) saying what is wrong if the points are fewer than four, not finite, all in
/// one point, on one line or in one plane (thinner than 1e-9 of the extent).
TriMesh convex_hull(std::span<const Vec3> points, const HullOptions& options = {});

}  // namespace grouser::internal
