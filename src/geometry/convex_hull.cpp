#include "geometry/convex_hull.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "core/error.h"
#include "core/text.h"
#include "geometry/edge_table.h"
#include "geometry/hull_selection.h"
#include "geometry/mesh_compact.h"
#include "geometry/mesh_orientation.h"
#include "geometry/mesh_slivers.h"
#include "geometry/qhull.h"

namespace grouser::internal {
namespace {

constexpr double kThinnest = 1e-9;  // of the extent [-]

[[noreturn]] void refuse(std::string message, std::string value = {}) {
  throw Error(ErrorKind::input,
              {.message = "no convex hull: " + std::move(message), .value = std::move(value)});
}

void require_volume(std::span<const Vec3> points) {
  if (points.size() < 4) {
    refuse("a solid takes at least four points", std::to_string(points.size()));
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3& p = points[i];
    if (!p.allFinite()) {
      refuse(fmt::format("point {} is not finite", i),
             fmt::format("[{}, {}, {}]", p.x(), p.y(), p.z()));
    }
  }
  const SpanningPoints span = spanning_points(points);
  if (span.extent == 0) refuse("all points are at the same place");
  if (span.width <= kThinnest * span.extent) refuse("all points lie on one line");
  if (span.height <= kThinnest * span.extent) {
    refuse("all points lie in one plane",
           fmt::format("thickness {} m", format_number(span.height)));
  }
}

/// Triangle fans of the polygons.
TriMesh fans(std::span<const Vec3> points, const HullFaces& faces) {
  TriMesh mesh{{points.begin(), points.end()}, {}};
  for (const auto& polygon : faces.polygons) {
    for (std::size_t i = 2; i < polygon.size(); ++i) {
      mesh.triangles.push_back({polygon[0], polygon[i - 1], polygon[i]});
    }
  }
  drop_unused_vertices(mesh);
  return mesh;
}

bool is_closed(const TriMesh& mesh) {
  bool closed = !mesh.triangles.empty();
  EdgeTable(mesh.triangles, mesh.vertices.size())
      .for_each_edge([&](std::int32_t, std::int32_t, std::span<const EdgeSide> sides) {
        closed = closed && sides.size() == 2 &&
                 runs_up(mesh.triangles, sides[0]) != runs_up(mesh.triangles, sides[1]);
      });
  return closed;
}

TriMesh full_hull(std::span<const Vec3> points) {
  // About their middle, for the sake of points far from the origin.
  Aabb box;
  for (const Vec3& point : points) box.add(point);
  const Vec3 centre = box.centre();
  std::vector<Vec3> centred(points.begin(), points.end());
  for (Vec3& point : centred) point -= centre;

  const HullFaces faces = qhull_faces(centred);
  if (!faces.failure.empty()) refuse(faces.failure);
  TriMesh mesh = fans(points, faces);
  // Corners of a face that lie on one line leave triangles without area.
  remove_degenerate_triangles(mesh);
  drop_unused_vertices(mesh);
  orient_outward(mesh);
  if (!is_closed(mesh)) refuse("the points are too close to degenerate for one");
  return mesh;
}

}  // namespace

TriMesh convex_hull(std::span<const Vec3> points, const HullOptions& options) {
  assert(options.max_vertices == 0 || options.max_vertices >= 4);
  require_volume(points);
  TriMesh hull = full_hull(points);
  const auto cap = static_cast<std::size_t>(options.max_vertices);
  if (cap == 0 || hull.vertices.size() <= cap) return hull;
  std::vector<Vec3> selected;
  for (const std::int32_t i : select_hull_points(hull.vertices, cap)) {
    selected.push_back(hull.vertices[slot(i)]);
  }
  return full_hull(selected);
}

}  // namespace grouser::internal
