#include "contact/pcm/mesh_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "geometry/mesh_check.h"

namespace grouser::internal {
namespace {

double longest_edge(const TriMesh& mesh, std::size_t triangle) {
  const Triangle& t = mesh.triangles[triangle];
  double longest = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    longest =
        std::max(longest, (mesh.vertices[slot(t[k])] - mesh.vertices[slot(t[(k + 1) % 3])]).norm());
  }
  return longest;
}

/// Meshes with the same fault: how many, and the worst of them.
struct Fault {
  std::size_t meshes = 0;
  const PcmSurface* worst = nullptr;
  std::size_t extent = 0;  ///< edges or triangles of the worst
  double size = 0;         ///< its longest edge [m]
  double wanted = 0;       ///< edge that would do [m]

  void add(const PcmSurface& surface, std::size_t count, double longest = 0, double edge = 0) {
    if (count == 0) return;
    ++meshes;
    if (worst != nullptr && count <= extent) return;
    worst = &surface;
    extent = count;
    size = longest;
    wanted = edge;
  }
};

void add_coarse(const PcmSurface& base, double wanted, Fault& fault) {
  std::size_t coarse = 0;
  double largest = 0;
  for (std::size_t t = 0; t < base.mesh->triangles.size(); ++t) {
    const double edge = longest_edge(*base.mesh, t);
    if (edge > wanted) ++coarse;
    largest = std::max(largest, edge);
  }
  fault.add(base, coarse, largest, wanted);
}

std::vector<std::string> sentences(const Fault& sharp, const Fault& open, const Fault& coarse) {
  std::vector<std::string> advice;
  if (sharp.meshes > 0) {
    advice.push_back(fmt::format(
        "{} targets have edges bent by 90° or more, '{}' {} of them: penetrations jump there and "
        "energy is not conserved; chamfer them, or make it the base",
        sharp.meshes, sharp.worst->name, sharp.extent));
  }
  if (open.meshes > 0) {
    advice.push_back(
        fmt::format("{} targets are open, '{}' along {} edges: what gets behind it is not held",
                    open.meshes, open.worst->name, open.extent));
  }
  if (coarse.meshes > 0) {
    advice.push_back(fmt::format(
        "{} bases are coarse for what they touch, '{}' in {} of {} triangles, with edges up to "
        "{:.3g} m: remesh it with an edge_length of {:.2g} m, or make it the target",
        coarse.meshes, coarse.worst->name, coarse.extent, coarse.worst->mesh->triangles.size(),
        coarse.size, coarse.wanted));
  }
  return advice;
}

}  // namespace

double advisable_edge(const Aabb& base, const Aabb& target) {
  const auto size = [](const Aabb& box) {
    Vec3 sides = box.size();
    std::sort(sides.begin(), sides.end());
    return sides[1];
  };
  return 0.25 * std::min(size(base), size(target));
}

std::vector<std::string> advise(const PcmScene& scene) {
  Fault sharp, open, coarse;
  std::set<const TriMesh*> targets;
  std::map<const TriMesh*, double> edges;  // wanted of a base
  std::vector<int> bases;                  // in order, each mesh once
  for (const PcmPair& pair : scene.pairs()) {
    const bool on_terrain = scene.is_terrain(pair.target);
    const double wanted = advisable_edge(scene.local_box(pair.base),
                                         scene.local_box(on_terrain ? pair.base : pair.target));
    const TriMesh* mesh = scene.surfaces()[slot(pair.base)].mesh.get();
    const auto [edge, is_new] = edges.try_emplace(mesh, wanted);
    edge->second = std::min(edge->second, wanted);
    if (is_new) bases.push_back(pair.base);
    if (on_terrain) continue;
    const PcmSurface& target = scene.surfaces()[slot(pair.target)];
    if (!targets.insert(target.mesh.get()).second) continue;
    sharp.add(target, grain_of(*target.mesh).sharp_edges);
    open.add(target, check_mesh(*target.mesh, {.self_intersections = false}).open_edges);
  }
  for (const int base : bases) {
    const PcmSurface& surface = scene.surfaces()[slot(base)];
    add_coarse(surface, edges[surface.mesh.get()], coarse);
  }
  return sentences(sharp, open, coarse);
}

}  // namespace grouser::internal
