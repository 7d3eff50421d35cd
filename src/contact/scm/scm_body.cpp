#include "contact/scm/scm_body.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.h"
#include "core/index.h"
#include "geometry/mesh_check.h"
#include "geometry/mesh_refine.h"
#include "geometry/mesh_simplify.h"

namespace grouser::internal {
namespace {

/// How far the surface may be moved to spare triangles, as a part of the longest edge.
constexpr double kTolerance = 1e-6;
/// Longest side of a facet of several parts, in edges. Slanted, long ones stand over many samples that are
/// not theirs.
constexpr double kFacetInEdges = 3;

constexpr std::ptrdiff_t kFacetsPerCluster = 24;

/// Sorts facets into clusters, at most kFacetsPerCluster each, that stand close together and look about the
/// same way: halved again and again across the longest side of the box of their centres and normals.
class ClusterOrder {
 public:
  ClusterOrder(const TriMesh& mesh, std::vector<Facet> facets)
      : size_(bounds(mesh).size().norm()), facets_(std::move(facets)), places_(facets_.size()) {
    for (std::size_t f = 0; f < places_.size(); ++f) {
      Vec3 sum = Vec3::Zero();
      for (const std::int32_t v : facets_[f].corners) sum += mesh.vertices[at(v)];
      places_[f] << sum / 4, kBends * size_ * area_vector(mesh, facets_[f].corners).normalized();
      order_.push_back(static_cast<std::int32_t>(f));
    }
  }

  /// Makes clusters, which are runs of what this returns.
  std::vector<Facet> sorted(std::vector<std::size_t>& sizes) {
    halve(order_.begin(), order_.end(), sizes);
    std::vector<std::int32_t> place(order_.size());
    for (std::size_t k = 0; k < order_.size(); ++k) {
      place[at(order_[k])] = static_cast<std::int32_t>(k);
    }
    std::vector<Facet> facets;
    for (const std::int32_t f : order_) {
      facets.push_back(std::move(facets_[at(f)]));
      for (FacetPart& part : facets.back().parts) {
        for (std::int32_t& neighbour : part.neighbours) neighbour = place[at(neighbour)];
      }
    }
    return facets;
  }

 private:
  using Iterator = std::vector<std::int32_t>::iterator;
  using Place = Eigen::Matrix<double, 6, 1>;

  void halve(Iterator begin, Iterator end, std::vector<std::size_t>& sizes) {
    Place low = places_[at(*begin)], high = low;
    for (Iterator i = begin; i != end; ++i) {
      low = low.cwiseMin(places_[at(*i)]);
      high = high.cwiseMax(places_[at(*i)]);
    }
    Eigen::Index axis = 0;
    const double length = (high - low).maxCoeff(&axis);
    const auto value = [&](std::int32_t f) { return places_[at(f)][axis]; };
    Iterator middle = begin;
    if (axis >= 3 &&
        length > kBends * size_) {  // across an edge; else a cluster might hold two sides
      middle = std::partition(
          begin, end, [&](std::int32_t f) { return value(f) < 0.5 * (low[axis] + high[axis]); });
    } else if (end - begin > kFacetsPerCluster) {
      // In whole clusters, so that only the last one is not full.
      const std::ptrdiff_t clusters = (end - begin + kFacetsPerCluster - 1) / kFacetsPerCluster;
      middle = begin + clusters / 2 * kFacetsPerCluster;
      std::nth_element(begin, middle, end, [&](std::int32_t a, std::int32_t b) {
        return value(a) != value(b) ? value(a) < value(b) : a < b;
      });
    } else {
      sizes.push_back(static_cast<std::size_t>(end - begin));
      return;
    }
    halve(begin, middle, sizes);
    halve(middle, end, sizes);
  }

  static constexpr double kBends = 0.5;  // a normal's unit, as a part of the body's size

  double size_;
  std::vector<Facet> facets_;
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
  const double tolerance = kTolerance * max_edge;
  const TriMesh divided =
      refined(simplified(mesh, {.max_edge = max_edge, .tolerance = tolerance}), max_edge);
  std::vector<std::size_t> sizes;
  const std::vector<Facet> facets =
      ClusterOrder(divided, facets_of(divided, {.tolerance = tolerance,
                                                .longest = kFacetInEdges * max_edge}))
          .sorted(sizes);
  std::vector<std::int32_t> slots(divided.vertices.size(), -1);
  auto first = facets.begin();
  for (const std::size_t size : sizes) {
    add_cluster(divided, {first, size}, slots);
    first += static_cast<std::ptrdiff_t>(size);
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
void ScmBody::add_cluster(const TriMesh& mesh, std::span<const Facet> facets,
                          std::vector<std::int32_t>& slots) {
  Cluster cluster{.first_vertex = static_cast<std::int32_t>(x_.size()),
                  .first_facet = static_cast<std::int32_t>(facet_count()),
                  .facets = static_cast<std::int32_t>(facets.size())};
  const auto local = [&](std::int32_t v) {
    if (slots[at(v)] < 0) {
      slots[at(v)] = cluster.vertices++;
      const Vec3& p = mesh.vertices[at(v)];
      x_.push_back(p.x());
      y_.push_back(p.y());
      z_.push_back(p.z());
    }
    return slots[at(v)];
  };
  std::vector<Vec3> normals;
  for (const Facet& facet : facets) {
    for (std::size_t k = 0; k < 4; ++k) corners_[k].push_back(local(facet.corners[k]));
    for (FacetPart part : facet.parts) {
      for (std::int32_t& v : part.corners) v = local(v);
      parts_.push_back(part);
    }
    first_part_.push_back(parts_.size());
    normals.push_back(area_vector(mesh, facet.corners).normalized());
    normal_x_.push_back(normals.back().x());
    normal_y_.push_back(normals.back().y());
    normal_z_.push_back(normals.back().z());
  }
  for (const Facet& facet : facets) {
    for (const FacetPart& part : facet.parts) {
      for (const std::int32_t v : part.corners) slots[at(v)] = -1;
    }
  }
  Vec3 sum = Vec3::Zero();
  for (const Vec3& normal : normals) sum += normal;
  if (sum.norm() > 1e-6) cluster.axis = sum.normalized();
  double cosine = 1;
  for (const Vec3& normal : normals) cosine = std::min(cosine, normal.dot(cluster.axis));
  cluster.sine = cosine > 0 ? std::sqrt(1 - cosine * cosine) : 1;
  clusters_.push_back(cluster);
}

}  // namespace grouser::internal
