#include "contact/pcm/clean_surface.h"

#include <fmt/format.h>

#include "geometry/edge_table.h"
#include "geometry/mesh_check.h"

namespace grouser::internal {
namespace {

/// Counts open edges whose middle lies on another one: there the mesh is torn.
std::size_t count_cracks(const TriMesh& mesh) {
  struct Edge {
    Vec3 a, b;
  };
  std::vector<Edge> open;
  std::vector<Aabb> boxes;
  const double gap = 1e-6 * bounds(mesh).size().norm();
  const EdgeTable edges(mesh.triangles, mesh.vertices.size());
  edges.for_each_edge([&](std::int32_t low, std::int32_t high, std::span<const EdgeSide> sides) {
    if (sides.size() != 1) return;
    open.push_back({mesh.vertices[slot(low)], mesh.vertices[slot(high)]});
    Aabb& box = boxes.emplace_back();
    box.add(Vec3(open.back().a.cwiseMin(open.back().b).array() - gap));
    box.add(Vec3(open.back().a.cwiseMax(open.back().b).array() + gap));
  });
  const Bvh tree(boxes);
  std::size_t count = 0;
  for (std::size_t e = 0; e < open.size(); ++e) {
    const Vec3 middle = 0.5 * (open[e].a + open[e].b);
    bool is_crack = false;
    tree.overlapping({middle, middle}, [&](std::int32_t other) {
      if (slot(other) == e) return;
      const Edge& edge = open[slot(other)];
      const Vec3 along = edge.b - edge.a;
      const double s = along.dot(middle - edge.a) / along.squaredNorm();
      if (s >= 0 && s <= 1 && (edge.a + s * along - middle).norm() <= gap) is_crack = true;
    });
    if (is_crack) ++count;
  }
  return count;
}

}  // namespace

std::vector<std::string> intersection_obstacles(const TriMesh& mesh) {
  const MeshReport report = check_mesh(mesh, {.self_intersections = false});
  std::vector<std::string> found;
  const auto add = [&](std::size_t count, const char* what) {
    if (count > 0) found.push_back(fmt::format("{} {}", count, what));
  };
  add(report.crowded_edges,
      "edges have more than two triangles: no telling where a region goes on");
  add(report.flipped_edges, "edges have triangles that disagree about the outside");
  add(report.degenerate_triangles, "triangles have no area: nothing can be cut with them");
  add(report.duplicate_triangles, "triangles stand there twice");
  add(report.duplicate_vertices,
      "vertices stand there twice: triangles beside them are no neighbours");
  add(count_cracks(mesh), "open edges run along each other: the mesh is torn there");
  return found;
}

CleanSurface::CleanSurface(const TriMesh& mesh)
    : query_(mesh), neighbours_(mesh.triangles.size(), {-1, -1, -1}) {
  const EdgeTable edges(mesh.triangles, mesh.vertices.size());
  edges.for_each_edge([&](std::int32_t, std::int32_t, std::span<const EdgeSide> sides) {
    if (sides.size() != 2) return;
    for (std::size_t k = 0; k < 2; ++k) {
      neighbours_[sides[k].triangle()][sides[k].index % 3] =
          static_cast<std::int32_t>(sides[1 - k].triangle());
    }
  });
}

bool CleanSurface::contains(const Vec3& point) const {
  const auto nearest = query_.nearest(point, std::numeric_limits<double>::infinity());
  if (!nearest) return false;
  // At an edge the sides of its triangles may differ: look a little into the triangle, whatever comes first.
  const Triangle& t = mesh().triangles[static_cast<std::size_t>(nearest->triangle)];
  Vec3 middle = Vec3::Zero();
  for (const std::int32_t v : t) middle += mesh().vertices[slot(v)] / 3;
  const Vec3 way = nearest->point + 1e-3 * (middle - nearest->point) - point;
  if (way.isZero(0)) return false;
  const auto hit = query_.ray_cast(point, way, 2 * way.norm());
  return hit && hit->normal.dot(way) > 0;
}

}  // namespace grouser::internal
