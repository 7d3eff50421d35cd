#pragma once

#include "geometry/tri_mesh.h"

namespace grouser::internal {

/// The mesh with every edge longer than `max_edge` [m], > 0, cut in the middle, again and again, until none
/// is. The surface stays the same; neighbours stay neighbours. Throws Error(input) beyond ten million
/// triangles.
TriMesh refined(TriMesh mesh, double max_edge);

}  // namespace grouser::internal
