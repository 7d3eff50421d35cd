#include "geometry/mesh_slivers.h"

#include <algorithm>
#include <array>
#include <vector>

#include "geometry/degenerate.h"
#include "geometry/disjoint_sets.h"
#include "geometry/edge_table.h"

namespace grouser::internal {
namespace {

// A pass cuts across every longest side once; only chains of degenerate triangles need several.
constexpr int kMaxPasses = 20;

void drop_repeated_vertices(TriMesh& mesh) { std::erase_if(mesh.triangles, has_repeated_vertex); }

std::vector<std::size_t> degenerate_triangles(const TriMesh& mesh) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    if (is_degenerate(mesh, i)) found.push_back(i);
  }
  return found;
}

double side_length2(const TriMesh& mesh, const Triangle& t, int corner) {
  const std::int32_t from = t[slot(corner)], to = t[slot((corner + 1) % 3)];
  return (mesh.vertices[slot(to)] - mesh.vertices[slot(from)]).squaredNorm();
}

/// The corner where the longest (or shortest) side of a triangle starts.
template <class Compare>
int extreme_side(const TriMesh& mesh, const Triangle& t, Compare is_better) {
  int best = 0;
  for (const int k : {1, 2}) {
    if (is_better(side_length2(mesh, t, k), side_length2(mesh, t, best))) best = k;
  }
  return best;
}

/// Joins corners that rounding cannot tell apart. Whether there were any.
bool collapse_short_sides(TriMesh& mesh, const std::vector<std::size_t>& slivers) {
  bool any = false;
  DisjointSets groups(mesh.vertices.size());
  for (const std::size_t i : slivers) {
    const Triangle& t = mesh.triangles[i];
    const int k = extreme_side(mesh, t, std::less{});
    const double limit = rounding_distance(mesh.vertices[slot(t[0])], mesh.vertices[slot(t[1])],
                                           mesh.vertices[slot(t[2])]);
    if (side_length2(mesh, t, k) > limit * limit) continue;
    groups.merge(t[slot(k)], t[slot((k + 1) % 3)]);
    any = true;
  }
  if (!any) return false;
  for (Triangle& t : mesh.triangles) {
    for (std::int32_t& vertex : t) vertex = groups.root(vertex);
  }
  return true;
}

/// Replaces a sliver and its neighbour across the sliver's longest side by the two halves of the
/// neighbour, cut at the sliver's middle corner. Both sides lie on the same edge.
void cut_neighbour(TriMesh& mesh, const EdgeSide& sliver, const EdgeSide& neighbour) {
  const std::int32_t middle = mesh.triangles[sliver.triangle()][(sliver.index + 2) % 3];
  const Triangle n = mesh.triangles[neighbour.triangle()];
  const std::uint32_t k = neighbour.index % 3;
  const std::int32_t from = n[k], to = n[(k + 1) % 3], apex = n[(k + 2) % 3];
  mesh.triangles[sliver.triangle()] = {from, middle, apex};
  mesh.triangles[neighbour.triangle()] = {middle, to, apex};
}

/// Cuts or drops at the longest sides of the slivers. Whether anything changed.
bool cut_across_longest_sides(TriMesh& mesh, const std::vector<std::size_t>& slivers) {
  constexpr int kNone = -1;
  std::vector<signed char> longest(mesh.triangles.size(), kNone);  // of slivers not yet dealt with
  for (const std::size_t i : slivers) {
    longest[i] = static_cast<signed char>(extreme_side(mesh, mesh.triangles[i], std::greater{}));
  }
  std::vector<bool> is_changed(mesh.triangles.size(), false);
  bool any = false;
  const EdgeTable edges(mesh.triangles, mesh.vertices.size());
  edges.for_each_edge([&](std::int32_t, std::int32_t, std::span<const EdgeSide> sides) {
    if (sides.size() > 2) return;
    const auto is_sliver = [&](const EdgeSide& side) {
      return longest[side.triangle()] == static_cast<int>(side.index % 3);
    };
    const auto changed = [&](const EdgeSide& side) { return is_changed[side.triangle()]; };
    const auto sliver = std::ranges::find_if(sides, is_sliver);
    if (sliver == sides.end() || std::ranges::any_of(sides, changed)) return;
    any = true;
    for (const EdgeSide& side : sides) is_changed[side.triangle()] = true;
    if (sides.size() == 1) {
      mesh.triangles[sliver->triangle()] = {0, 0, 0};  // dropped with the next pass
    } else {
      cut_neighbour(mesh, *sliver, sides[sliver == sides.begin() ? 1 : 0]);
    }
  });
  return any;
}

}  // namespace

std::size_t remove_degenerate_triangles(TriMesh& mesh) {
  const std::size_t before = degenerate_triangles(mesh).size();
  if (before == 0) return 0;
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    drop_repeated_vertices(mesh);
    const std::vector<std::size_t> slivers = degenerate_triangles(mesh);
    if (slivers.empty()) return before;
    if (!collapse_short_sides(mesh, slivers) && !cut_across_longest_sides(mesh, slivers)) break;
  }
  drop_repeated_vertices(mesh);
  return before - std::min(before, degenerate_triangles(mesh).size());
}

}  // namespace grouser::internal
