#pragma once

#include <cstddef>

#include "geometry/tri_mesh.h"

namespace grouser::internal {

/// More pairs are not counted: what cuts itself that often is no solid anyway.
inline constexpr std::size_t kMaxSelfIntersections = 1'000'000;

/// Pairs of triangles that cut each other (triangles_cut) elsewhere than at common vertices or
/// edges; vertices at the same position are common. So neighbours that merely touch do not count;
/// those that share a vertex count if they pass through each other beyond it, those that share an
/// edge if one is folded flat onto the other. Degenerate triangles cut nothing, and pairs on the
/// same three vertices are duplicates, not intersections. Stops soon after kMaxSelfIntersections.
std::size_t count_self_intersections(const TriMesh& mesh);

}  // namespace grouser::internal
