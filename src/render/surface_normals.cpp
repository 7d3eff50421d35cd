#include "render/surface_normals.h"

#include <cmath>

#include "core/parallel.h"

namespace grouser::internal {
namespace {

/// For each vertex, the triangles at it: those of v are around[first[v]] ... around[first[v + 1] - 1].
struct VertexTriangles {
  std::vector<std::size_t> first;
  std::vector<std::int32_t> around;

  explicit VertexTriangles(const TriMesh& mesh) : first(mesh.vertices.size() + 1, 0) {
    for (const Triangle& triangle : mesh.triangles) {
      for (const std::int32_t v : triangle) ++first[static_cast<std::size_t>(v) + 1];
    }
    for (std::size_t v = 1; v < first.size(); ++v) first[v] += first[v - 1];
    around.resize(first.back());
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      for (const std::int32_t v : mesh.triangles[t]) {
        around[next[static_cast<std::size_t>(v)]++] = static_cast<std::int32_t>(t);
      }
    }
  }
};

}  // namespace

std::vector<std::array<Vec3, 3>> corner_normals(const TriMesh& mesh, double crease) {
  const VertexTriangles adjacency(mesh);
  std::vector<Vec3> area(mesh.triangles.size());
  for (std::size_t t = 0; t < area.size(); ++t) area[t] = area_vector(mesh, t);
  std::vector<std::array<Vec3, 3>> normals(mesh.triangles.size());
  const double cosine = std::cos(crease);
  parallel_for(normals.size(), 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      const double size = area[t].norm();
      for (std::size_t k = 0; k < 3; ++k) {
        const auto v = static_cast<std::size_t>(mesh.triangles[t][k]);
        Vec3 sum = area[t];
        for (std::size_t i = adjacency.first[v]; i < adjacency.first[v + 1]; ++i) {
          const Vec3& other = area[static_cast<std::size_t>(adjacency.around[i])];
          const bool same = adjacency.around[i] == static_cast<std::int32_t>(t);
          if (!same && other.dot(area[t]) > cosine * other.norm() * size) sum += other;
        }
        normals[t][k] = sum.norm() > 0 ? Vec3(sum.normalized()) : Vec3::UnitZ();
      }
    }
  });
  return normals;
}

}  // namespace grouser::internal
