#pragma once

#include "geometry/tri_mesh.h"

namespace grouser::internal {

/// Integrals over the inside of a closed mesh.
struct SolidProperties {
  double volume = 0;             ///< ∫ dV [m³]; negative if the mesh is inside out
  Vec3 centroid = Vec3::Zero();  ///< ∫ r dV / V [m]
  Mat3 inertia = Mat3::Zero();   ///< ∫ (|d|² 1 - d dᵀ) dV, d from the centroid [m⁵]

  RigidInertia at_density(double density) const {
    return {.mass = density * volume, .com = centroid, .about_com = density * inertia};
  }
};

/// Exact for the polyhedron, by the divergence theorem, summed over tetrahedra from a point inside
/// the bounds. The mesh must be watertight and oriented; then the result does not depend on that
/// point.
SolidProperties solid_properties(const TriMesh& mesh);

}  // namespace grouser::internal
