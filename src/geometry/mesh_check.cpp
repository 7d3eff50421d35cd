#include "geometry/mesh_check.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "geometry/degenerate.h"
#include "geometry/disjoint_sets.h"
#include "geometry/edge_table.h"
#include "geometry/mass_properties.h"
#include "geometry/mesh_duplicates.h"
#include "geometry/self_intersection.h"

namespace grouser::internal {
namespace {

std::size_t count_repeats(const std::vector<std::int32_t>& first) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < first.size(); ++i) count += first[i] != static_cast<std::int32_t>(i);
  return count;
}

void check_vertices(const TriMesh& mesh, MeshReport& report) {
  report.duplicate_vertices = count_repeats(first_at_position(mesh.vertices));

  DisjointSets groups(mesh.vertices.size());
  std::vector<bool> is_used(mesh.vertices.size(), false);
  for (const auto& [a, b, c] : mesh.triangles) {
    groups.merge(a, b);
    groups.merge(a, c);
    is_used[slot(a)] = is_used[slot(b)] = is_used[slot(c)] = true;
  }
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const auto vertex = static_cast<std::int32_t>(i);
    if (!is_used[i]) ++report.unused_vertices;
    if (is_used[i] && groups.root(vertex) == vertex) ++report.pieces;
  }
}

/// Unit normals; zero for degenerate triangles.
std::vector<Vec3> check_triangles(const TriMesh& mesh, MeshReport& report) {
  report.duplicate_triangles = count_repeats(first_with_vertices(mesh.triangles));
  std::vector<Vec3> normals(mesh.triangles.size(), Vec3::Zero());
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Vec3 area = area_vector(mesh, i);
    report.area += area.norm();
    if (is_degenerate(mesh, i)) {
      ++report.degenerate_triangles;
    } else {
      normals[i] = area.normalized();
    }
  }
  return normals;
}

bool is_sharp(const Vec3& normal, const Vec3& neighbour, double cos_limit) {
  return !normal.isZero(0) && !neighbour.isZero(0) && normal.dot(neighbour) < cos_limit;
}

void check_edges(const TriMesh& mesh, const std::vector<Vec3>& normals, double sharp_angle,
                 MeshReport& report) {
  const double cos_limit = std::cos(sharp_angle);
  double shortest2 = std::numeric_limits<double>::infinity(), longest2 = 0;
  const EdgeTable edges(mesh.triangles, mesh.vertices.size());
  edges.for_each_edge([&](std::int32_t low, std::int32_t high, std::span<const EdgeSide> sides) {
    const double length2 = (mesh.vertices[slot(high)] - mesh.vertices[slot(low)]).squaredNorm();
    shortest2 = std::min(shortest2, length2);
    longest2 = std::max(longest2, length2);
    if (sides.size() == 1) ++report.open_edges;
    if (sides.size() > 2) ++report.crowded_edges;
    if (sides.size() != 2) return;
    const bool agree = runs_up(mesh.triangles, sides[0]) != runs_up(mesh.triangles, sides[1]);
    if (!agree) ++report.flipped_edges;
    const Vec3& normal = normals[sides[0].triangle()];
    const Vec3& neighbour = normals[sides[1].triangle()];
    if (is_sharp(normal, agree ? neighbour : Vec3(-neighbour), cos_limit)) ++report.sharp_edges;
  });
  report.longest_edge = std::sqrt(longest2);
  report.shortest_edge = std::isfinite(shortest2) ? std::sqrt(shortest2) : 0;
}

[[maybe_unused]] bool is_well_formed(const TriMesh& mesh) {
  const auto count = static_cast<std::int64_t>(mesh.vertices.size());
  return std::ranges::all_of(mesh.vertices, [](const Vec3& v) { return v.allFinite(); }) &&
         std::ranges::all_of(mesh.triangles, [&](const Triangle& t) {
           return std::ranges::all_of(t, [&](std::int32_t i) { return 0 <= i && i < count; });
         });
}

}  // namespace

MeshReport check_mesh(const TriMesh& mesh, const MeshCheckOptions& options) {
  assert(is_well_formed(mesh));
  MeshReport report;
  report.vertices = mesh.vertices.size();
  report.triangles = mesh.triangles.size();
  report.box = bounds(mesh);
  check_vertices(mesh, report);
  check_edges(mesh, check_triangles(mesh, report), options.sharp_angle, report);
  if (report.watertight() && report.oriented()) report.volume = solid_properties(mesh).volume;
  if (options.self_intersections) report.self_intersections = count_self_intersections(mesh);
  return report;
}

}  // namespace grouser::internal
