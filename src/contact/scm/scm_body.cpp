#include "contact/scm/scm_body.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/error.h"
#include "geometry/edge_table.h"
#include "geometry/mesh_check.h"

namespace grouser {
namespace {

constexpr std::size_t kMostTriangles = 5'000'000;

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

/// Halves all edges longer than the limit, pass by pass, both triangles of an edge at once, so that the
/// mesh stays closed.
class Divider {
 public:
  Divider(TriMesh& mesh, double max_edge) : mesh_(mesh), max_squared_(max_edge * max_edge) {}

  void run() {
    while (pass()) {
      if (mesh_.triangles.size() <= kMostTriangles) continue;
      throw Error(ErrorKind::input,
                  {.message = "the body is too large for the grid of the soil: divided into edges "
                              "of its size, the mesh has too many triangles",
                   .value = std::to_string(mesh_.triangles.size()),
                   .legal = "<= " + std::to_string(kMostTriangles)});
    }
  }

 private:
  bool is_long(std::int32_t a, std::int32_t b) const {
    return (mesh_.vertices[at(a)] - mesh_.vertices[at(b)]).squaredNorm() > max_squared_;
  }

  std::int32_t middle(std::int32_t a, std::int32_t b) {
    const auto [found, is_new] = middles_.try_emplace(std::minmax(a, b), 0);
    if (is_new) {
      found->second = static_cast<std::int32_t>(mesh_.vertices.size());
      const auto [low, high] = std::minmax(a, b);
      mesh_.vertices.push_back(0.5 * (mesh_.vertices[at(low)] + mesh_.vertices[at(high)]));
    }
    return found->second;
  }

  bool pass() {
    middles_.clear();
    std::vector<Triangle> divided;
    for (Triangle t : mesh_.triangles) {
      // Turned so that of one long edge it is the first, of two long ones the short one is the last.
      for (int turn = 0; turn < 2; ++turn) {
        const bool first = is_long(t[0], t[1]), last = is_long(t[2], t[0]);
        if (first && (!last || is_long(t[1], t[2]))) break;
        std::rotate(t.begin(), t.begin() + 1, t.end());
      }
      divide(t, divided);
    }
    mesh_.triangles = std::move(divided);
    return !middles_.empty();
  }

  void divide(const Triangle& t, std::vector<Triangle>& divided) {
    const bool ab = is_long(t[0], t[1]), bc = is_long(t[1], t[2]), ca = is_long(t[2], t[0]);
    if (!ab) {
      divided.push_back(t);
      return;
    }
    const std::int32_t p = middle(t[0], t[1]);
    if (!bc) {
      divided.insert(divided.end(), {{t[0], p, t[2]}, {p, t[1], t[2]}});
      return;
    }
    const std::int32_t q = middle(t[1], t[2]);
    if (!ca) {
      divided.insert(divided.end(), {{p, t[1], q}, {t[0], p, q}, {t[0], q, t[2]}});
      return;
    }
    const std::int32_t r = middle(t[2], t[0]);
    divided.insert(divided.end(), {{t[0], p, r}, {p, t[1], q}, {r, q, t[2]}, {p, q, r}});
  }

  TriMesh& mesh_;
  double max_squared_;
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> middles_;
};

std::vector<Triangle> neighbours_of(const TriMesh& mesh) {
  std::vector<Triangle> neighbours(mesh.triangles.size());
  const EdgeTable edges(mesh.triangles, mesh.vertices.size());
  edges.for_each_edge([&](std::int32_t, std::int32_t, std::span<const EdgeSide> sides) {
    for (std::size_t s = 0; s < 2; ++s) {
      neighbours[sides[s].triangle()][sides[s].index % 3] =
          static_cast<std::int32_t>(sides[1 - s].triangle());
    }
  });
  return neighbours;
}

}  // namespace

ScmBody::ScmBody(const TriMesh& mesh, double max_edge) : mesh_(mesh) {
  const MeshReport report = check_mesh(mesh, {.self_intersections = false});
  if (!report.watertight() || !report.oriented() || report.volume <= 0) {
    throw Error(ErrorKind::input,
                {.message = "the soil contact model needs a closed mesh: " + to_text(report)});
  }
  Divider(mesh_, max_edge).run();
  bvh_ = Bvh(mesh_);
  neighbours_ = neighbours_of(mesh_);
  for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
    normals_.push_back(area_vector(mesh_, t).normalized());
  }
}

}  // namespace grouser
