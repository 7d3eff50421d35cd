#pragma once

#include <cstddef>

#include "geometry/tri_mesh.h"

namespace grouser::internal {

/// Joins vertices at the same position (first_at_position); the first one stays. The order of the
/// others is kept. Returns how many went.
std::size_t join_vertices(TriMesh& mesh);

/// Drops vertices that no triangle names. The order of the others is kept. Returns how many went.
std::size_t drop_unused_vertices(TriMesh& mesh);

}  // namespace grouser::internal
