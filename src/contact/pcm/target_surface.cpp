#include "contact/pcm/target_surface.h"

#include <utility>

namespace grouser::internal {

TargetSurface::TargetSurface(std::shared_ptr<const TriMesh> mesh)
    : mesh_(std::move(mesh)), tree_(*mesh_, {.max_leaf = 1}) {
  triangles_.reserve(tree_.size());
  for (const std::int32_t t : tree_.order()) {
    const Triangle& v = mesh_->triangles[slot(t)];
    triangles_.push_back(TargetTriangle::of(
        mesh_->vertices[slot(v[0])], mesh_->vertices[slot(v[1])], mesh_->vertices[slot(v[2])]));
  }
}

}  // namespace grouser::internal
