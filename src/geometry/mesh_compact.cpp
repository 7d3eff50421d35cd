#include "geometry/mesh_compact.h"

#include <vector>

#include "geometry/mesh_duplicates.h"

namespace grouser::internal {
namespace {

/// Keeps the vertices for which keep(i) holds; wherever a triangle names another one, stand_in(i) <
/// i takes its place.
template <class Keep, class StandIn>
std::size_t compact_vertices(TriMesh& mesh, Keep keep, StandIn stand_in) {
  const std::size_t before = mesh.vertices.size();
  std::vector<std::int32_t> place(before);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < before; ++i) {
    place[i] = keep(i) ? static_cast<std::int32_t>(kept) : place[slot(stand_in(i))];
    if (keep(i)) mesh.vertices[kept++] = mesh.vertices[i];
  }
  mesh.vertices.resize(kept);
  for (Triangle& triangle : mesh.triangles) {
    for (std::int32_t& vertex : triangle) vertex = place[slot(vertex)];
  }
  return before - kept;
}

}  // namespace

std::size_t join_vertices(TriMesh& mesh) {
  const std::vector<std::int32_t> first = first_at_position(mesh.vertices);
  return compact_vertices(
      mesh, [&](std::size_t i) { return first[i] == static_cast<std::int32_t>(i); },
      [&](std::size_t i) { return first[i]; });
}

std::size_t drop_unused_vertices(TriMesh& mesh) {
  std::vector<bool> is_used(mesh.vertices.size(), false);
  for (const auto& [a, b, c] : mesh.triangles)
    is_used[slot(a)] = is_used[slot(b)] = is_used[slot(c)] = true;
  return compact_vertices(
      mesh, [&](std::size_t i) { return is_used[i]; }, [](std::size_t) { return 0; });
}

}  // namespace grouser::internal
