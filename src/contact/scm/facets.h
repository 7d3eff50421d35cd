#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/tri_mesh.h"

namespace grouser::internal {

/// Three or four corners of something flat and convex, anticlockwise seen from outside. Of three, the last
/// is there twice: the side (2, 3) has no length.
using Corners = std::array<std::int32_t, 4>;

/// One or two triangles of a mesh: along its sides the edge of a footprint is found.
struct FacetPart {
  Corners corners{};
  /// The facets across the sides (0, 1), (1, 2), (2, 3) and (3, 0); across one without length, or into
  /// another part of the same facet: its own.
  std::array<std::int32_t, 4> neighbours{};
};

/// A flat convex part of a surface: one piece to be looked at instead of many triangles.
struct Facet {
  Corners corners{};
  std::vector<FacetPart> parts;
};

struct FacetOptions {
  double tolerance = 0;  ///< how far a corner may lie off a plane or a straight side [m]
  double longest = 0;    ///< no side of what is put together is longer than this [m]
};

/// Facets of a closed mesh. Triangles are put together where they lie in a plane: first two and two, then
/// what stands in a row.
std::vector<Facet> facets_of(const TriMesh& mesh, const FacetOptions& options);

/// Half the cross product of the diagonals: along the outward normal, as long as the area [m²].
Vec3 area_vector(const TriMesh& mesh, const Corners& corners);

}  // namespace grouser::internal
