#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "geometry/aabb.h"
#include "geometry/shape.h"
#include "geometry/support.h"

namespace grouser {

/// A convex hull with what contact needs beside its support map: flat faces, of which the mesh may
/// hold several triangles each, and who lies next to whom.
class HullSolid : public ConvexHull {
 public:
  /// Corners that a face keeps for contact patches; of more, evenly spread ones stay.
  static constexpr int kMostCorners = 24;

  struct Face {
    Vec3 normal;                ///< unit, outward
    std::int32_t begin, count;  ///< of its corners, anticlockwise seen from outside
  };

  /// `hull` as convex_hull() gives it.
  explicit HullSolid(TriMesh hull);

  const std::vector<Face>& faces() const { return faces_; }
  std::span<const std::int32_t> corners(const Face& face) const {
    return {&corners_[slot(face.begin)], slot(face.count)};
  }
  /// A vertex that lies farthest along a direction, but for 1e-12 of its distance from the origin.
  std::size_t farthest_index(const Vec3& direction) const;
  /// The faces that meet in a vertex.
  std::span<const std::int32_t> faces_at(std::size_t vertex) const {
    return {&touching_[first_touching_[vertex]],
            first_touching_[vertex + 1] - first_touching_[vertex]};
  }
  double inner_radius() const { return inner_radius_; }  ///< of the ball around centre() [m]
  double outer_radius() const { return outer_radius_; }  ///< of that around the origin [m]

 private:
  void find_faces();
  void find_touching(std::span<const std::int32_t> face_of);

  std::vector<Face> faces_;
  std::vector<std::int32_t> corners_;
  std::vector<std::int32_t> touching_;
  std::vector<std::size_t> first_touching_;
  std::vector<double, Eigen::aligned_allocator<double>> blocks_;  // x of eight vertices, y, z, next
  double inner_radius_ = 0, outer_radius_ = 0;
};

/// A convex solid in its own frame. Hulls are shared: many rocks, one hull.
using Convex = std::variant<SphereShape, BoxShape, CylinderShape, CapsuleShape,
                            std::shared_ptr<const HullSolid>>;

/// Box around the shape as it lies in W; exact but for rounding.
Aabb bounds(const Convex& shape, const Pose& X_WS);

}  // namespace grouser
