#pragma once

#include <cstddef>
#include <vector>

#include "geometry/shape.h"
#include "geometry/tri_mesh.h"

/// Support maps: the point of a convex shape, in its own frame, that lies farthest along a
/// direction. `direction` need not be a unit vector; a zero direction gives some point of the
/// shape. Of several farthest points, which one is a fixed function of the inputs.
namespace grouser::internal {

Vec3 support(const BoxShape& box, const Vec3& direction);
Vec3 support(const SphereShape& sphere, const Vec3& direction);
Vec3 support(const CylinderShape& cylinder, const Vec3& direction);
Vec3 support(const CapsuleShape& capsule, const Vec3& direction);

/// The vertices of a convex mesh, stored for a fast support map.
class ConvexHull {
 public:
  /// `hull` as convex_hull() gives it.
  explicit ConvexHull(TriMesh hull);

  const TriMesh& mesh() const { return mesh_; }
  const Vec3& centre() const { return centre_; }  ///< of mass, inside
  std::size_t support_index(const Vec3& direction) const;
  const Vec3& support(const Vec3& direction) const {
    return mesh_.vertices[support_index(direction)];
  }

 private:
  TriMesh mesh_;
  Vec3 centre_;
  // x of eight vertices, their y, their z, then the next eight; filled up by repeating a vertex.
  // Aligned, since loads that straddle cache lines take twice as long.
  std::vector<double, Eigen::aligned_allocator<double>> blocks_;
};

inline Vec3 support(const ConvexHull& hull, const Vec3& direction) {
  return hull.support(direction);
}

}  // namespace grouser::internal
