#include "contact/pcm/roles.h"

#include <fmt/format.h>

#include <cmath>

#include "geometry/edge_table.h"

namespace grouser::internal {
namespace {

std::size_t count_sharp_edges(const TriMesh& mesh) {
  const EdgeTable edges(mesh.triangles, mesh.vertices.size());
  std::size_t count = 0;
  edges.for_each_edge([&](std::int32_t low, std::int32_t, std::span<const EdgeSide> sides) {
    if (sides.size() != 2) return;
    const Vec3 a = area_vector(mesh, sides[0].triangle()).normalized();
    const Vec3 b = area_vector(mesh, sides[1].triangle()).normalized();
    // A hair less than 90°, since the edges of a box are meant.
    if (!(a.dot(b) < 1e-9)) return;
    const Triangle& other = mesh.triangles[sides[1].triangle()];
    Vec3 middle = Vec3::Zero();
    for (const std::int32_t v : other) middle += mesh.vertices[slot(v)] / 3;
    const bool is_ridge = a.dot(middle - mesh.vertices[slot(low)]) < 0;
    if (is_ridge) ++count;
  });
  return count;
}

}  // namespace

MeshGrain grain_of(const TriMesh& mesh) {
  MeshGrain grain{.triangles = mesh.triangles.size()};
  double area = 0;
  for (std::size_t t = 0; t < grain.triangles; ++t) area += area_vector(mesh, t).norm();
  // Of an equilateral triangle, area √3/4 edge².
  grain.size = std::sqrt(area / static_cast<double>(std::max<std::size_t>(1, grain.triangles)) * 4 /
                         std::sqrt(3.0));
  grain.sharp_edges = count_sharp_edges(mesh);
  return grain;
}

Roles choose_roles(const MeshGrain& first, const MeshGrain& second) {
  const bool sharp_first = first.sharp_edges > 0, sharp_second = second.sharp_edges > 0;
  if (sharp_first != sharp_second) {
    return {sharp_first, fmt::format("the base has {} sharp edges, the target none",
                                     sharp_first ? first.sharp_edges : second.sharp_edges)};
  }
  const bool is_base = first.size <= second.size;
  return {is_base,
          fmt::format("the base is the finer one: triangles of {:.3g} m beside {:.3g} m",
                      std::min(first.size, second.size), std::max(first.size, second.size))};
}

}  // namespace grouser::internal
