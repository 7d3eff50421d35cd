#pragma once

#include <cstddef>

#include "geometry/tri_mesh.h"

namespace grouser::internal {

struct OrientationRepair {
  std::size_t turned_triangles = 0;
  std::size_t turned_pieces = 0;  ///< closed pieces that were consistent, but inside out
  std::size_t undecided_pieces =
      0;  ///< facing inward, left so: too many to tell which are cavities
};

/// Turns the triangles of each closed piece (every edge between two triangles) so that they agree
/// and face outward. A consistent piece that faces inward and lies inside another one bounds a
/// cavity and stays as it is; should all pieces together enclose a negative volume, all are turned
/// first. Pieces that are open or cannot be oriented are left alone.
OrientationRepair orient_outward(TriMesh& mesh);

}  // namespace grouser::internal
