#pragma once

#include <string>
#include <vector>

#include "geometry/tri_mesh.h"

namespace grouser::internal {

/// Joins vertices at the same position (bit for bit; +0 = -0), drops degenerate and repeated
/// triangles and unused vertices, turns the triangles of each closed piece so that they agree and
/// face outward. Order of what remains is kept. Returns one line per kind of repair, e.g.
/// "joined 1024 vertices at the same position"; none if there was nothing to do.
///
/// Nothing is torn: a degenerate triangle between others is removed by cutting its neighbour. Walls
/// that face each other where solids touch are dropped if that closes the surface. A closed piece
/// that faces inward inside another one is a cavity and stays as it is.
/// Indices must be in range and coordinates finite.
std::vector<std::string> repair_mesh(TriMesh& mesh);

}  // namespace grouser::internal
