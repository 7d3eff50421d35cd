#include "contact/scm/scm_body.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.h"
#include "geometry/edge_table.h"
#include "geometry/mesh_check.h"
#include "geometry/mesh_refine.h"
#include "geometry/mesh_simplify.h"

namespace grouser {
namespace {

/// How far the surface may be moved to spare triangles, as a part of the longest edge.
constexpr double kTolerance = 1e-6;

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

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
  const TriMesh coarse =
      simplified(mesh, {.max_edge = max_edge, .tolerance = kTolerance * max_edge});
  const TriMesh sorted = ClusterOrder(refined(coarse, max_edge)).sorted();
  neighbours_ = neighbours_of(sorted);
  make_clusters(sorted);
}

void ScmBody::make_clusters(const TriMesh& mesh) {
  constexpr auto kMost = static_cast<std::size_t>(kTrianglesPerCluster);
  std::vector<std::int32_t> slots(mesh.vertices.size(), -1);
  for (std::size_t first = 0; first < mesh.triangles.size(); first += kMost) {
    add_cluster(mesh, first, std::min(kMost, mesh.triangles.size() - first), slots);
  }
  std::vector<Aabb> boxes;
  for (Cluster& cluster : clusters_) {
    Aabb& box = boxes.emplace_back();
    for (std::size_t v = at(cluster.first_vertex), n = 0; n < at(cluster.vertices); ++v, ++n) {
      box.add(Vec3(x_[v], y_[v], z_[v]));
    }
    cluster.centre = box.centre();
    cluster.half = 0.5 * box.size();
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
