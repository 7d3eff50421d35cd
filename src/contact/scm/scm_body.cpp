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

constexpr std::ptrdiff_t kTrianglesPerCluster = 48;

/// Sorts triangles such that each run of kTrianglesPerCluster stands close together and looks about the
/// same way: halved again and again across the longest side of the box of their centres and normals.
class ClusterOrder {
 public:
  explicit ClusterOrder(const TriMesh& mesh) : mesh_(mesh), places_(mesh.triangles.size()) {
    const double size = bounds(mesh).size().norm();
    for (std::size_t t = 0; t < places_.size(); ++t) {
      const Triangle& v = mesh.triangles[t];
      const Vec3 sum = mesh.vertices[at(v[0])] + mesh.vertices[at(v[1])] + mesh.vertices[at(v[2])];
      places_[t] << sum / 3, 0.2 * size * area_vector(mesh, t).normalized();
      order_.push_back(static_cast<std::int32_t>(t));
    }
  }

  TriMesh sorted() {
    halve(order_.begin(), order_.end());
    TriMesh mesh{.vertices = mesh_.vertices, .triangles = {}};
    for (const std::int32_t t : order_) mesh.triangles.push_back(mesh_.triangles[at(t)]);
    return mesh;
  }

 private:
  using Iterator = std::vector<std::int32_t>::iterator;
  using Place = Eigen::Matrix<double, 6, 1>;

  void halve(Iterator begin, Iterator end) {
    if (end - begin <= kTrianglesPerCluster) return;
    Place low = places_[at(*begin)], high = low;
    for (Iterator i = begin; i != end; ++i) {
      low = low.cwiseMin(places_[at(*i)]);
      high = high.cwiseMax(places_[at(*i)]);
    }
    Eigen::Index axis = 0;
    (high - low).maxCoeff(&axis);
    // In whole clusters, so that only the last one is not full.
    const std::ptrdiff_t clusters = (end - begin + kTrianglesPerCluster - 1) / kTrianglesPerCluster;
    const Iterator middle = begin + clusters / 2 * kTrianglesPerCluster;
    std::nth_element(begin, middle, end, [&](std::int32_t a, std::int32_t b) {
      const double pa = places_[at(a)][axis], pb = places_[at(b)][axis];
      return pa != pb ? pa < pb : a < b;
    });
    halve(begin, middle);
    halve(middle, end);
  }

  const TriMesh& mesh_;
  std::vector<Place, Eigen::aligned_allocator<Place>> places_;
  std::vector<std::int32_t> order_;
};

}  // namespace

ScmBody::ScmBody(const TriMesh& mesh, double max_edge) : max_edge_(max_edge) {
  const MeshReport report = check_mesh(mesh, {.self_intersections = false});
  if (!report.watertight() || !report.oriented() || report.volume <= 0) {
    throw Error(ErrorKind::input,
                {.message = "the soil contact model needs a closed mesh: " + to_text(report)});
  }
  TriMesh divided = mesh;
  Divider(divided, max_edge).run();
  divided = ClusterOrder(divided).sorted();
  neighbours_ = neighbours_of(divided);
  make_clusters(divided);
}

void ScmBody::make_clusters(const TriMesh& mesh) {
  constexpr auto kMost = static_cast<std::size_t>(kTrianglesPerCluster);
  std::vector<std::int32_t> slots(mesh.vertices.size(), -1);
  for (std::size_t first = 0; first < mesh.triangles.size(); first += kMost) {
    add_cluster(mesh, first, std::min(kMost, mesh.triangles.size() - first), slots);
  }
  std::vector<Aabb> boxes;
  for (const Cluster& cluster : clusters_) {
    Aabb& box = boxes.emplace_back();
    for (std::size_t v = at(cluster.first_vertex), n = 0; n < at(cluster.vertices); ++v, ++n) {
      box.add(Vec3(x_[v], y_[v], z_[v]));
    }
  }
  bvh_ = Bvh(boxes, {.max_leaf = 2});
}

/// `slots` has -1 for all vertices before and after.
void ScmBody::add_cluster(const TriMesh& mesh, std::size_t first, std::size_t count,
                          std::vector<std::int32_t>& slots) {
  Cluster cluster{.first_vertex = static_cast<std::int32_t>(x_.size()),
                  .first_triangle = static_cast<std::int32_t>(first),
                  .triangles = static_cast<std::int32_t>(count)};
  std::vector<Vec3> normals;
  for (std::size_t t = first; t < first + count; ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t v = mesh.triangles[t][k];
      if (slots[at(v)] < 0) {
        slots[at(v)] = cluster.vertices++;
        const Vec3& p = mesh.vertices[at(v)];
        x_.push_back(p.x());
        y_.push_back(p.y());
        z_.push_back(p.z());
      }
      corners_[k].push_back(slots[at(v)]);
    }
    normals.push_back(area_vector(mesh, t).normalized());
    normal_x_.push_back(normals.back().x());
    normal_y_.push_back(normals.back().y());
    normal_z_.push_back(normals.back().z());
  }
  for (std::size_t t = first; t < first + count; ++t) {
    for (const std::int32_t v : mesh.triangles[t]) slots[at(v)] = -1;
  }
  Vec3 sum = Vec3::Zero();
  for (const Vec3& normal : normals) sum += normal;
  if (sum.norm() > 1e-6) cluster.axis = sum.normalized();
  double cosine = 1;
  for (const Vec3& normal : normals) cosine = std::min(cosine, normal.dot(cluster.axis));
  cluster.sine = cosine > 0 ? std::sqrt(1 - cosine * cosine) : 1;
  clusters_.push_back(cluster);
}

}  // namespace grouser
