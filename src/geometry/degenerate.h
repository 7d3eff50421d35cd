#pragma once

#include "geometry/tri_mesh.h"

namespace grouser::internal {

/// Whether a triangle names a vertex twice, or is so thin that rounding of its coordinates could
/// have made it: its height over the longest side is at most 4 ε max |coordinate|, ε = 2⁻⁵².
bool is_degenerate(const TriMesh& mesh, std::size_t triangle);

/// Distance [m] below which rounding cannot tell points of these coordinates apart: the bound
/// above.
double rounding_distance(const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace grouser::internal
