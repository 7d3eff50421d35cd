#pragma once

#include <optional>

#include "geometry/bvh.h"

namespace grouser::internal {

struct MeshHit {
  int triangle = -1;
  double distance = 0;          ///< from the query's origin [m]
  Vec3 point = Vec3::Zero();    ///< on the triangle
  Vec3 normal = Vec3::UnitZ();  ///< of the triangle, unit, outward
};

/// A mesh with its tree, ready to be asked. Immutable, shared by threads.
class MeshQuery {
 public:
  /// Indices must be in range and coordinates finite.
  explicit MeshQuery(TriMesh mesh);

  const TriMesh& mesh() const { return mesh_; }
  const Bvh& bvh() const { return bvh_; }

  /// The first triangle that a ray meets, from either side, within `max_distance` [m]. `direction` of
  /// any length > 0. Between neighbouring triangles no ray slips through (Woop, Benthin & Wald,
  /// "Watertight ray/triangle intersection", JCGT 2 (2013)). Of hits at the same distance, the triangle
  /// with the lowest index.
  std::optional<MeshHit> ray_cast(const Vec3& origin, const Vec3& direction,
                                  double max_distance) const;

  /// The point of the mesh nearest to `point`, if any is within `max_distance` [m].
  std::optional<MeshHit> nearest(const Vec3& point, double max_distance) const;

 private:
  TriMesh mesh_;
  Bvh bvh_;
};

/// The point of triangle abc nearest to p.
Vec3 nearest_point_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace grouser::internal
