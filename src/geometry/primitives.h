#pragma once

#include "geometry/shape.h"
#include "geometry/tri_mesh.h"

/// Closed meshes of simple solids, outward normals, centred at the origin. All sizes [m], > 0.
namespace grouser::internal {

/// Each face cut into divisions x divisions squares, each of two triangles; divisions >= 1.
TriMesh box_mesh(const Vec3& size, int divisions = 1);

/// Geodesic sphere: the faces of an icosahedron cut into divisions² triangles and pushed onto the
/// sphere; 20 divisions² triangles, divisions >= 1.
TriMesh sphere_mesh(double radius, int divisions);

/// Along z. `segments` around (>= 3), `rings` along the mantle (>= 1), caps as fans of `cap_rings`
/// (>= 1) concentric rings.
struct CylinderMeshing {
  int segments = 32;
  int rings = 1;
  int cap_rings = 1;
};
TriMesh cylinder_mesh(double radius, double length, const CylinderMeshing& meshing = {});

/// Along z, `length` without the half-spheres. segments >= 3 around, segments / 4 rings (at least
/// 1) on each half-sphere.
TriMesh capsule_mesh(double radius, double length, int segments = 32);

/// Around z: circle of radius `tube` swept along a circle of radius `ring` > tube.
TriMesh torus_mesh(double ring, double tube, int ring_segments, int tube_segments);

/// The mesh of a shape with edges of about `edge_length` [m], > 0, on curved faces. Throws
/// Error(input) if that would take more than ten million triangles. A MeshShape is read from its
/// file.
TriMesh mesh_of(const Shape& shape, double edge_length);

}  // namespace grouser::internal
