#pragma once

#include <memory>
#include <span>
#include <vector>

#include "contact/pcm/line_packet.h"
#include "geometry/bvh.h"

namespace grouser::internal {

/// A mesh that penetration lines are cast at, with the tree of its triangles. Any mesh will do, be it open,
/// torn or with triangles of no area. Immutable, shared by threads.
class TargetSurface {
 public:
  /// Indices must be in range and coordinates finite.
  explicit TargetSurface(std::shared_ptr<const TriMesh> mesh);

  const TriMesh& mesh() const { return *mesh_; }
  const Bvh& tree() const { return tree_; }
  /// In the order of the tree's leaves: triangle k is number tree().order()[k] of the mesh.
  std::span<const TargetTriangle> triangles() const { return triangles_; }

 private:
  std::shared_ptr<const TriMesh> mesh_;
  Bvh tree_;
  std::vector<TargetTriangle> triangles_;
};

}  // namespace grouser::internal
