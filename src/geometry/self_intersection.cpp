#include "geometry/self_intersection.h"

#include <algorithm>
#include <span>
#include <vector>

#include "core/parallel.h"
#include "geometry/bvh.h"
#include "geometry/degenerate.h"
#include "geometry/mesh_duplicates.h"
#include "geometry/triangle_intersection.h"

namespace grouser::internal {
namespace {

constexpr std::size_t kGrain = 512;           // triangles per chunk
constexpr std::size_t kBlock = 128 * kGrain;  // triangles between looks at the count

/// The triangles with an area, on vertices joined by position.
std::vector<Triangle> proper_triangles(const TriMesh& mesh) {
  const std::vector<std::int32_t> first = first_at_position(mesh.vertices);
  std::vector<Triangle> triangles;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const auto& [a, b, c] = mesh.triangles[i];
    if (!is_degenerate(mesh, i))
      triangles.push_back({first[slot(a)], first[slot(b)], first[slot(c)]});
  }
  return triangles;
}

int common_vertices(const Triangle& a, const Triangle& b) {
  int count = 0;
  for (const std::int32_t vertex : a) count += std::ranges::count(b, vertex) > 0 ? 1 : 0;
  return count;
}

class Search {
 public:
  explicit Search(const TriMesh& mesh)
      : vertices_(mesh.vertices), triangles_(proper_triangles(mesh)), tree_(boxes()) {}

  std::size_t size() const { return triangles_.size(); }

  /// Partners of a triangle with a higher number that it cuts.
  std::size_t partners(std::size_t i) const {
    std::size_t count = 0;
    const Triangle& mine = triangles_[i];
    tree_.overlapping(box_of(mine), [&](std::int32_t j) {
      if (static_cast<std::size_t>(j) <= i) return;
      const Triangle& other = triangles_[slot(j)];
      if (common_vertices(mine, other) < 3 && triangles_cut(points_of(mine), points_of(other))) {
        ++count;
      }
    });
    return count;
  }

 private:
  TrianglePoints points_of(const Triangle& t) const {
    return {vertices_[slot(t[0])], vertices_[slot(t[1])], vertices_[slot(t[2])]};
  }

  Aabb box_of(const Triangle& t) const {
    Aabb box;
    for (const std::int32_t vertex : t) box.add(vertices_[slot(vertex)]);
    return box;
  }

  std::vector<Aabb> boxes() const {
    std::vector<Aabb> boxes(triangles_.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) boxes[i] = box_of(triangles_[i]);
    return boxes;
  }

  const std::vector<Vec3>& vertices_;
  std::vector<Triangle> triangles_;
  Bvh tree_;
};

}  // namespace

std::size_t count_self_intersections(const TriMesh& mesh) {
  const Search search(mesh);
  std::size_t total = 0;
  for (std::size_t begin = 0; begin < search.size(); begin += kBlock) {
    const std::size_t size = std::min(kBlock, search.size() - begin);
    std::vector<std::size_t> counts((size + kGrain - 1) / kGrain, 0);
    parallel_for(size, kGrain, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i)
        counts[first / kGrain] += search.partners(begin + i);
    });
    for (const std::size_t count : counts) total += count;
    if (total >= kMaxSelfIntersections) break;
  }
  return std::min(total, kMaxSelfIntersections);
}

}  // namespace grouser::internal
