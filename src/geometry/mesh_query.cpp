#include "geometry/mesh_query.h"

#include <cmath>
#include <utility>

namespace grouser::internal {
namespace {

using Double8 = double __attribute__((vector_size(64)));

Double8 wide(Float8 value) { return __builtin_convertvector(value, Double8); }

/// Nodes still to be entered, nearest first, with the distance at which each begins.
class NearestFirst {
 public:
  NearestFirst() { push(0, 0); }
  bool empty() const { return size_ == 0; }
  std::pair<double, std::int32_t> pop() {
    --size_;
    return {key_[size_], node_[size_]};
  }
  void push(double key, std::int32_t node) {
    key_[size_] = key;
    node_[size_] = node;
    ++size_;
  }

  /// Pushes the children with key <= limit, so that the nearest comes out first; leaves go to `leaf`.
  template <class Leaf>
  void push_children(const Bvh::Node& node, const Double8& keys, double limit, Leaf&& leaf) {
    const std::size_t first = size_;
    for (std::size_t lane = 0; lane < Bvh::kWidth; ++lane) {
      const bool absent = node.lower[0][lane] > node.upper[0][lane];
      if (absent || !(keys[lane] <= limit)) continue;
      if (node.count[lane] > 0) {
        leaf(static_cast<std::size_t>(node.child[lane]), node.count[lane]);
        continue;
      }
      push(keys[lane], node.child[lane]);
      for (std::size_t i = size_ - 1; i > first && key_[i] > key_[i - 1]; --i) {
        std::swap(key_[i], key_[i - 1]);
        std::swap(node_[i], node_[i - 1]);
      }
    }
  }

 private:
  std::array<double, Bvh::kStack> key_;
  std::array<std::int32_t, Bvh::kStack> node_;
  std::size_t size_ = 0;
};

/// A ray turned so that its largest component runs along the third axis, sheared to stand on it.
struct ShearedRay {
  Vec3 origin, direction;
  Eigen::Index kx, ky, kz;
  double sx, sy, sz;

  ShearedRay(const Vec3& from, const Vec3& along) : origin(from), direction(along) {
    direction.cwiseAbs().maxCoeff(&kz);
    kx = (kz + 1) % 3;
    ky = (kx + 1) % 3;
    if (direction[kz] < 0) std::swap(kx, ky);
    sx = direction[kx] / direction[kz];
    sy = direction[ky] / direction[kz];
    sz = 1 / direction[kz];
  }

  /// Distance in units of `direction`; negative if the ray misses.
  double hit(const Vec3& v0, const Vec3& v1, const Vec3& v2) const {
    const Vec3 a = v0 - origin, b = v1 - origin, c = v2 - origin;
    const double ax = a[kx] - sx * a[kz], ay = a[ky] - sy * a[kz];
    const double bx = b[kx] - sx * b[kz], by = b[ky] - sy * b[kz];
    const double cx = c[kx] - sx * c[kz], cy = c[ky] - sy * c[kz];
    const double u = cx * by - cy * bx, v = ax * cy - ay * cx, w = bx * ay - by * ax;
    if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return -1;
    const double det = u + v + w;
    if (det == 0) return -1;
    return (u * a[kz] + v * b[kz] + w * c[kz]) * sz / det;
  }
};

/// Where the ray enters each child's box; infinite if it does not.
Double8 entry_distances(const Bvh::Node& node, const Vec3& origin, const Vec3& inverse) {
  constexpr double kSlack = 1e-14;  // more than the rounding of the slab test
  Double8 enter{}, leave = Double8{} + std::numeric_limits<double>::infinity();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto k = static_cast<Eigen::Index>(axis);
    const Double8 t0 = (wide(node.lower[axis]) - origin[k]) * inverse[k];
    const Double8 t1 = (wide(node.upper[axis]) - origin[k]) * inverse[k];
    const Double8 near = t0 < t1 ? t0 : t1, far = t0 < t1 ? t1 : t0;
    const Double8 early = near * (near > 0 ? Double8{} + (1 - kSlack) : Double8{} + (1 + kSlack));
    const Double8 late = far * (far > 0 ? Double8{} + (1 + kSlack) : Double8{} + (1 - kSlack));
    enter = early > enter ? early : enter;
    leave = late < leave ? late : leave;
  }
  return enter <= leave ? enter : Double8{} + std::numeric_limits<double>::infinity();
}

Double8 squared_distances(const Bvh::Node& node, const Vec3& point) {
  Double8 sum{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double p = point[static_cast<Eigen::Index>(axis)];
    const Double8 below = wide(node.lower[axis]) - p, above = p - wide(node.upper[axis]);
    const Double8 outside = below > above ? below : above;
    const Double8 gap = outside > 0 ? outside : Double8{};
    sum += gap * gap;
  }
  return sum;
}

}  // namespace

MeshQuery::MeshQuery(TriMesh mesh) : mesh_(std::move(mesh)), bvh_(mesh_) {}

std::optional<MeshHit> MeshQuery::ray_cast(const Vec3& origin, const Vec3& direction,
                                           double max_distance) const {
  if (bvh_.size() == 0) return std::nullopt;
  const Vec3 unit = direction.normalized();
  const ShearedRay ray(origin, unit);
  Vec3 inverse;
  for (Eigen::Index k = 0; k < 3; ++k) {
    // Not infinite: a ray within the plane of a face must not multiply it by zero.
    inverse[k] = std::abs(unit[k]) > 1e-300 ? 1 / unit[k] : 1e300;
  }
  MeshHit best{.distance = max_distance};
  NearestFirst todo;
  while (!todo.empty()) {
    const auto [begins, index] = todo.pop();
    if (begins > best.distance) continue;
    const Bvh::Node& node = bvh_.nodes()[static_cast<std::size_t>(index)];
    todo.push_children(node, entry_distances(node, origin, inverse), best.distance,
                       [&](std::size_t first, std::size_t count) {
                         for (const std::int32_t t : bvh_.order().subspan(first, count)) {
                           const Triangle& v = mesh_.triangles[static_cast<std::size_t>(t)];
                           const double d = ray.hit(mesh_.vertices[static_cast<std::size_t>(v[0])],
                                                    mesh_.vertices[static_cast<std::size_t>(v[1])],
                                                    mesh_.vertices[static_cast<std::size_t>(v[2])]);
                           const bool nearer =
                               d < best.distance ||
                               (d == best.distance && (best.triangle < 0 || t < best.triangle));
                           if (d >= 0 && nearer) best = {.triangle = t, .distance = d};
                         }
                       });
  }
  if (best.triangle < 0) return std::nullopt;
  best.point = origin + best.distance * unit;
  best.normal = area_vector(mesh_, static_cast<std::size_t>(best.triangle)).normalized();
  return best;
}

std::optional<MeshHit> MeshQuery::nearest(const Vec3& point, double max_distance) const {
  if (bvh_.size() == 0) return std::nullopt;
  MeshHit best;
  double best_squared = max_distance * max_distance;
  NearestFirst todo;
  while (!todo.empty()) {
    const auto [begins, index] = todo.pop();
    if (begins > best_squared) continue;
    const Bvh::Node& node = bvh_.nodes()[static_cast<std::size_t>(index)];
    todo.push_children(
        node, squared_distances(node, point), best_squared,
        [&](std::size_t first, std::size_t count) {
          for (const std::int32_t t : bvh_.order().subspan(first, count)) {
            const Triangle& v = mesh_.triangles[static_cast<std::size_t>(t)];
            const Vec3 q =
                nearest_point_on_triangle(point, mesh_.vertices[static_cast<std::size_t>(v[0])],
                                          mesh_.vertices[static_cast<std::size_t>(v[1])],
                                          mesh_.vertices[static_cast<std::size_t>(v[2])]);
            const double d = (q - point).squaredNorm();
            const bool nearer =
                d < best_squared || (d == best_squared && (best.triangle < 0 || t < best.triangle));
            if (!nearer) continue;
            best_squared = d;
            best.triangle = t;
            best.point = q;
          }
        });
  }
  if (best.triangle < 0) return std::nullopt;
  best.distance = std::sqrt(best_squared);
  best.normal = area_vector(mesh_, static_cast<std::size_t>(best.triangle)).normalized();
  return best;
}

// By the region of the plane in which p lies: three corners, three edges, the face.
Vec3 nearest_point_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
  const double d1 = ab.dot(ap), d2 = ac.dot(ap);
  if (d1 <= 0 && d2 <= 0) return a;
  const double d3 = ab.dot(bp), d4 = ac.dot(bp);
  if (d3 >= 0 && d4 <= d3) return b;
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return a + d1 / (d1 - d3) * ab;
  const double d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d6 >= 0 && d5 <= d6) return c;
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return a + d2 / (d2 - d6) * ac;
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    return b + (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b);
  }
  const double scale = 1 / (va + vb + vc);
  return a + vb * scale * ab + vc * scale * ac;
}

}  // namespace grouser::internal
