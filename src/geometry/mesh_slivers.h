#pragma once

#include <cstddef>

#include "geometry/tri_mesh.h"

namespace grouser::internal {

/// Removes degenerate triangles without tearing the surface: those that name a vertex twice are
/// dropped; where two corners are closer than rounding, they are joined; a triangle whose corners
/// lie on one line gives its middle corner to the neighbour across its longest side, which is cut
/// in two there (or is dropped if there is no neighbour). Returns by how many their number fell;
/// those at edges of more than two triangles stay.
std::size_t remove_degenerate_triangles(TriMesh& mesh);

}  // namespace grouser::internal
