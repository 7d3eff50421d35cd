#pragma once

#include <vector>

#include "geometry/bvh.h"
#include "geometry/tri_mesh.h"

namespace grouser {

/// A body as the soil sees it: a closed mesh in the body's frame, made ready to be pressed into a grid.
/// Immutable, shared by threads.
class ScmBody {
 public:
  /// Triangles with edges longer than `max_edge` [m], > 0, are divided, because the edge of a footprint
  /// is found from the heights of vertices. Throws Error(input) if the mesh is not closed, or would
  /// have more than five million triangles then.
  ScmBody(const TriMesh& mesh, double max_edge);

  const TriMesh& mesh() const { return mesh_; }
  const Bvh& bvh() const { return bvh_; }
  const Vec3& normal(std::size_t triangle) const { return normals_[triangle]; }  ///< unit, outward
  /// The triangles across the edges (0, 1), (1, 2), (2, 0).
  const Triangle& neighbours(std::size_t triangle) const { return neighbours_[triangle]; }

 private:
  TriMesh mesh_;
  Bvh bvh_;
  std::vector<Vec3> normals_;
  std::vector<Triangle> neighbours_;
};

}  // namespace grouser
