#include "preview.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace grouser::internal {
namespace {

const Vec3 kLowColor(0.58, 0.42, 0.32), kHighColor(0.82, 0.68, 0.54);
const Vec3 kViewDirection(-0.55, 0.75, -0.42);

std::shared_ptr<const TriMesh> share(TriMesh mesh) {
  return std::make_shared<const TriMesh>(std::move(mesh));
}

/// A square around the box's foot, wide enough for its shadow.
TriMesh floor_under(const Aabb& box) {
  const Vec3 c = box.centre();
  const double half = 8 * box.size().norm(), z = box.lower.z();
  return {{{c.x() - half, c.y() - half, z},
           {c.x() + half, c.y() - half, z},
           {c.x() + half, c.y() + half, z},
           {c.x() - half, c.y() + half, z}},
          {{0, 1, 2}, {0, 2, 3}}};
}

double aspect(const RenderOptions& options) {
  return static_cast<double>(options.width) / options.height;
}

}  // namespace

double round_spacing(double size) { return std::pow(10, std::round(std::log10(size / 10))); }

RenderMesh ground_to_draw(TriMesh ground) {
  const Aabb box = bounds(ground);
  RenderMesh item;
  const double range = std::max(1e-9, box.size().z());
  for (const Vec3& vertex : ground.vertices) {
    const double t = (vertex.z() - box.lower.z()) / range;
    item.vertex_colors.push_back((1 - t) * kLowColor + t * kHighColor);
  }
  item.grid_lines = round_spacing(box.size().head<2>().maxCoeff());
  item.mesh = share(std::move(ground));
  return item;
}

Image preview_of_solid(const TriMesh& mesh, const Vec3& color) {
  const RenderOptions options;
  const Aabb box = bounds(mesh);
  const RenderMesh floor{.mesh = share(floor_under(box)),
                         .color = Vec3(0.75, 0.73, 0.7),
                         .grid_lines = round_spacing(box.size().maxCoeff())};
  const RenderMesh thing{.mesh = share(mesh), .color = color};
  return render({floor, thing}, frame_box(box, kViewDirection, aspect(options)), options);
}

Image preview_of_ground(const TriMesh& ground, const TriMesh& things) {
  const RenderOptions options;
  const Camera camera = frame_box(bounds(ground), kViewDirection, aspect(options));
  std::vector<RenderMesh> meshes = {ground_to_draw(ground)};
  if (!things.triangles.empty()) {
    meshes.push_back({.mesh = share(things), .color = kRockColor});
  }
  return render(meshes, camera, options);
}

}  // namespace grouser::internal
