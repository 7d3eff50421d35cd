#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/tri_mesh.h"

namespace grouser {

/// A flat convex part of a surface with three or four corners, anticlockwise seen from outside. Of three,
/// the third is there twice: its side (2, 3) has no length.
struct Facet {
  std::array<std::int32_t, 4> corners{};
  /// The facets across the sides (0, 1), (1, 2), (2, 3) and (3, 0). Across a side without length: itself.
  std::array<std::int32_t, 4> neighbours{};

  bool three() const { return corners[2] == corners[3]; }
};

/// The triangles of a closed mesh, two and two taken together where they lie in a plane, within
/// `tolerance` [m], and are convex: half as many to be looked at.
std::vector<Facet> facets_of(const TriMesh& mesh, double tolerance);

/// Half the cross product of a facet's diagonals: along the outward normal, as long as the area [m²].
Vec3 area_vector(const TriMesh& mesh, const Facet& facet);

}  // namespace grouser
