#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "collision/direction_table.h"
#include "geometry/aabb.h"
#include "geometry/shape.h"
#include "geometry/support.h"

namespace grouser::internal {

/// A convex hull with what contact needs beside its support map: flat faces, of which the mesh may
/// hold several triangles each, and who lies next to whom.
class HullSolid : public ConvexHull {
 public:
  /// Corners that a face keeps for contact patches; of more, evenly spread ones stay.
  static constexpr int kMostCorners = 24;

  struct Face {
    Vec3 normal;                         ///< unit, outward
    std::int32_t begin, count;           ///< of its corners, anticlockwise seen from outside
    std::array<std::uint16_t, 4> first;  ///< of the corners, at hand: mostly all that it has
  };

  /// `hull` as convex_hull() gives it. Throws Error if it has more than 32767 vertices.
  explicit HullSolid(TriMesh hull);
  /// The same solid with all lengths multiplied by a factor > 0: a hundred times quicker than a hull of its own.
  HullSolid(const HullSolid& like, double factor);

  const std::vector<Face>& faces() const { return faces_; }
  /// Number of a face's corner k as a vertex.
  std::size_t corner(const Face& face, int k) const {
    return k < 4 ? face.first[slot(k)] : slot(corners_[slot(face.begin + k)]);
  }
  /// A vertex that lies farthest along a direction, but for 1e-12 of its distance from the origin.
  std::size_t farthest_index(const Point3& direction) const { return table_.farthest(direction); }
  Point3 vertex(std::size_t k) const { return table_.point(k); }
  /// Numbers of the faces that meet in a vertex.
  std::span<const std::uint16_t> faces_at(std::size_t vertex) const {
    const std::uint64_t mark = table_.mark(vertex);
    return {&touching_[mark >> 32], mark & 0xffffffff};
  }
  double inner_radius() const { return inner_radius_; }  ///< of the ball around centre() [m]
  double outer_radius() const { return outer_radius_; }  ///< of that around the origin [m]

 private:
  void find_faces();
  void find_touching();
  void find_normals();
  void find_radii();

  std::vector<Face> faces_;
  std::vector<std::uint16_t> face_of_;  // of each triangle
  std::vector<std::int32_t> corners_;
  std::vector<std::uint16_t> touching_;  // by vertex
  DirectionTable table_;                 // with number and count of the faces at each vertex
  double inner_radius_ = 0, outer_radius_ = 0;
};

/// A convex solid in its own frame. Hulls are shared: many rocks, one hull.
using Convex = std::variant<SphereShape, BoxShape, CylinderShape, CapsuleShape,
                            std::shared_ptr<const HullSolid>>;

/// Box around the shape as it lies in W; exact but for rounding.
Aabb bounds(const Convex& shape, const Pose& X_WS);

}  // namespace grouser::internal
