#include "geometry/tri_mesh.h"

#include <cassert>
#include <limits>
#include <utility>

namespace grouser::internal {

Aabb bounds(const TriMesh& mesh) {
  Aabb box;
  for (const Vec3& vertex : mesh.vertices) box.add(vertex);
  return box;
}

Vec3 area_vector(const TriMesh& mesh, std::size_t triangle) {
  const auto& [a, b, c] = mesh.triangles[triangle];
  const Vec3& origin = mesh.vertices[slot(a)];
  return 0.5 * (mesh.vertices[slot(b)] - origin).cross(mesh.vertices[slot(c)] - origin);
}

TriMesh transformed(const Pose& X, TriMesh mesh) {
  for (Vec3& vertex : mesh.vertices) vertex = X * vertex;
  return mesh;
}

TriMesh scaled(const Vec3& factors, TriMesh mesh) {
  assert((factors.array() != 0).all());
  for (Vec3& vertex : mesh.vertices) vertex = vertex.cwiseProduct(factors);
  // Signs, not the product, which small factors would let vanish.
  const bool mirrors = (factors.array() < 0).count() % 2 == 1;
  if (mirrors) {
    for (Triangle& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
  }
  return mesh;
}

void append(TriMesh& mesh, const TriMesh& more) {
  assert(mesh.vertices.size() + more.vertices.size() <= std::numeric_limits<std::int32_t>::max());
  const auto offset = static_cast<std::int32_t>(mesh.vertices.size());
  // By index and with a fixed end: `more` may be `mesh` itself. Without reserving what is needed now, which would copy
  // all of it anew for each piece.
  const std::size_t vertex_count = more.vertices.size();
  const std::size_t triangle_count = more.triangles.size();
  for (std::size_t i = 0; i < vertex_count; ++i) mesh.vertices.push_back(more.vertices[i]);
  for (std::size_t i = 0; i < triangle_count; ++i) {
    const Triangle t = more.triangles[i];
    mesh.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
  }
}

}  // namespace grouser::internal
