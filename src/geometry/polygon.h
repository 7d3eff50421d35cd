#pragma once

#include <cstdint>
#include <span>

#include "geometry/tri_mesh.h"

namespace grouser::internal {

/// Cuts a polygon of n >= 3 corners, which should be flat or nearly so and may be concave, into
/// n - 2 triangles written to `triangles`. A convex one becomes a fan from its first corner; else
/// ears are cut off (Meisters, "Polygons have ears", 1975), which takes about n² steps. One that
/// crosses itself gives some n - 2 triangles. `budget` falls by the steps taken; false if it was
/// used up, so that the rest of the polygon was cut anyhow.
bool cut_polygon(std::span<const Vec3> vertices, std::span<const std::int32_t> corners,
                 std::span<Triangle> triangles, std::uint64_t& budget);

}  // namespace grouser::internal
