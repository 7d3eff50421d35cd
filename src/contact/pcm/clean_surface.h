#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "geometry/mesh_query.h"

namespace grouser::internal {

/// Why regions cannot be followed over a mesh, each as a sentence; empty if they can. Meshes may be open,
/// but not torn: an open edge along another one is a crack.
std::vector<std::string> intersection_obstacles(const TriMesh& mesh);

/// A mesh whose triangles know their neighbours. Immutable, shared by threads.
class CleanSurface {
 public:
  /// There must be no intersection_obstacles().
  explicit CleanSurface(const TriMesh& mesh);

  const MeshQuery& query() const { return query_; }
  const TriMesh& mesh() const { return query_.mesh(); }
  /// Of each triangle across its three edges; -1: open.
  std::span<const std::array<std::int32_t, 3>> neighbours() const { return neighbours_; }

  /// Whether a point lies inside: what it sees of the surface near it is the inner side.
  bool contains(const Vec3& point) const;

 private:
  MeshQuery query_;
  std::vector<std::array<std::int32_t, 3>> neighbours_;
};

}  // namespace grouser::internal
