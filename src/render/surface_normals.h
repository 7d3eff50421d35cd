#pragma once

#include <array>
#include <vector>

#include "geometry/tri_mesh.h"

namespace grouser::internal {

/// Normals for shading, one per corner of each triangle: the mean over the triangles around the vertex
/// that are bent by less than `crease` [rad] from this one, weighted by area.
std::vector<std::array<Vec3, 3>> corner_normals(const TriMesh& mesh, double crease);

}  // namespace grouser::internal
