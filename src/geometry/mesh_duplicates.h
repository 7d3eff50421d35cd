#pragma once

#include <cstdint>
#include <vector>

#include "geometry/tri_mesh.h"

namespace grouser::internal {

/// For each vertex the first one at the same position, bit for bit except that +0 = -0.
std::vector<std::int32_t> first_at_position(const std::vector<Vec3>& vertices);

/// For each triangle the first one with the same three vertices, in whatever order.
std::vector<std::int32_t> first_with_vertices(const std::vector<Triangle>& triangles);

}  // namespace grouser::internal
