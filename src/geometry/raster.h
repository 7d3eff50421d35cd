#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "geometry/grid.h"
#include "geometry/tri_mesh.h"

namespace grouser::internal {

/// The lowest point of a surface above each node of a grid.
struct LowerEnvelope {
  static constexpr double kNone = std::numeric_limits<double>::infinity();

  GridSpec grid;
  std::vector<double> height;          ///< per node [m]; kNone where the surface does not reach
  std::vector<std::int32_t> triangle;  ///< per node: the triangle that is lowest; -1 if none

  /// Makes room for a grid and forgets what was there; keeps its memory.
  void reset(const GridSpec& new_grid);
};

/// Lowers the envelope to a triangle, where its projection covers a node, border included: triangles
/// that share an edge leave no gap. The plane of a steep triangle is not followed beyond its corners'
/// heights; a vertical one covers nothing. Of two triangles at the same height, the lower index stays.
void rasterise(const std::array<Vec3, 3>& corners, std::int32_t triangle, LowerEnvelope& envelope);

/// The same for all triangles of a mesh, given in the grid's frame.
void rasterise(const TriMesh& mesh, LowerEnvelope& envelope);

}  // namespace grouser::internal
