#pragma once

#include <span>
#include <string>
#include <vector>

#include "geometry/tri_mesh.h"

namespace grouser::internal {

/// Faces of a convex hull as Qhull gives them: polygons of indices into the points, anticlockwise
/// seen from outside. If Qhull gives up, no faces and its words.
struct HullFaces {
  std::vector<std::vector<std::int32_t>> polygons;
  std::string failure;
};

/// Hull of points that span a volume. Barber, Dobkin & Huhdanpaa, "The Quickhull algorithm for
/// convex hulls", ACM Trans. Math. Softw. 22 (1996). Writes nothing to the standard streams.
HullFaces qhull_faces(std::span<const Vec3> points);

}  // namespace grouser::internal
