#include "collision/terrain_contact.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "collision/terrain_ground.h"
#include "collision/terrain_round.h"
#include "geometry/primitives.h"

namespace grouser::internal {

using namespace terrain_contact;

namespace {

constexpr int kMostDivisions = 8;  // of a shape's longest side, between samples

int divisions(double length, double step) {
  return std::max(1, static_cast<int>(std::ceil(std::min(length / step, 1.0 * kMostDivisions))));
}

/// Shares by the potential; scaled by the deepest, so that nothing vanishes.
void share_out(TerrainContact& contact) {
  double deepest = 0, sum = 0;
  for (const TerrainPoint& point : contact.points) deepest = std::max(deepest, point.depth);
  const auto fifth = [&](const TerrainPoint& point) {
    const double r = point.depth / deepest;
    return r * r * r * r * r;
  };
  for (const TerrainPoint& point : contact.points) sum += fifth(point);
  for (TerrainPoint& point : contact.points) point.share = std::sqrt(fifth(point) / sum);
}

/// Which of the points, place(k) each, lie below the ceiling. Without a branch, since none would be foreseen.
template <class Place>
std::span<const std::int32_t> below_ceiling(std::size_t count, const Place& place, const Pose& X,
                                            double ceiling, std::vector<std::int32_t>& below) {
  const Vec3 up = X.R.row(2);
  below.resize(count);
  std::size_t found = 0;
  for (std::size_t k = 0; k < count; ++k) {
    below[found] = static_cast<std::int32_t>(k);
    found += up.dot(place(k)) + X.p.z() < ceiling ? 1 : 0;
  }
  return {below.data(), found};
}

void find_polyhedron(const SurfaceSamples& samples, const Pose& X, const Ground& ground,
                     TerrainContact& contact) {
  // Depths of corners above the ceiling are looked up only if a sample between them asks.
  std::vector<double>& depth = contact.corner_depth;
  depth.assign(samples.corners.size(), std::numeric_limits<double>::quiet_NaN());
  const auto corner = [&](std::size_t k) -> const Vec3& { return samples.corners[k]; };
  for (const std::int32_t k :
       below_ceiling(samples.corners.size(), corner, X, ground.ceiling, contact.below)) {
    const Vec3 p = X * samples.corners[slot(k)];
    depth[slot(k)] = ground.depth(p);
    if (depth[slot(k)] > 0) add(p, depth[slot(k)], ground.normal(p), contact);
  }
  const auto between = [&](std::size_t k) -> const Vec3& { return samples.between[k].p; };
  for (const std::int32_t n :
       below_ceiling(samples.between.size(), between, X, ground.ceiling, contact.below)) {
    const SurfaceSamples::Between& sample = samples.between[slot(n)];
    const Vec3 p = X * sample.p;
    const double here = ground.depth(p);
    if (here <= kLeastExcess) continue;
    double explained = 0;
    for (int k = 0; k < 3; ++k) {
      const std::size_t c = slot(sample.parent[static_cast<std::size_t>(k)]);
      if (std::isnan(depth[c])) depth[c] = ground.depth(X * samples.corners[c]);
      explained += sample.weight[k] * depth[c];
    }
    add_sample(ground, p, here, explained, contact);
  }
}

/// Points of the mesh's edges and triangles, cut into pieces of at most `step` or so.
SurfaceSamples sample(const TriMesh& mesh, double step) {
  SurfaceSamples samples{.corners = mesh.vertices, .between = {}};
  const auto offer = [&](const Triangle& t, const Vec3& weight) {
    Vec3 p = Vec3::Zero();
    for (int k = 0; k < 3; ++k)
      p += weight[k] * mesh.vertices[slot(t[static_cast<std::size_t>(k)])];
    samples.between.push_back({p, t, weight});
  };
  for (const Triangle& t : mesh.triangles) {
    double longest = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t a = t[k], b = t[(k + 1) % 3];
      const double length = (mesh.vertices[slot(a)] - mesh.vertices[slot(b)]).norm();
      longest = std::max(longest, length);
      if (a > b) continue;  // the triangle across has it
      const int n = divisions(length, step);
      for (int i = 1; i < n; ++i) {
        const double w = static_cast<double>(i) / n;
        offer({a, b, b}, Vec3(1 - w, w, 0));
      }
    }
    const int n = divisions(longest, step);
    for (int i = 1; i < n - 1; ++i) {
      for (int j = 1; i + j < n; ++j) offer(t, Vec3(n - i - j, i, j) / n);
    }
  }
  return samples;
}

}  // namespace

TerrainShape::TerrainShape(const Convex& shape, const ElevationMap& map,
                           std::shared_ptr<const SurfaceSamples> samples)
    : shape_(shape), samples_(std::move(samples)) {
  const Vec3 size = bounds(shape, Pose{}).size();
  const double step = std::max(map.grid().spacing, size.maxCoeff() / kMostDivisions);
  if (const auto* cylinder = std::get_if<CylinderShape>(&shape)) {
    stations_ = divisions(cylinder->length, step);
  } else if (const auto* capsule = std::get_if<CapsuleShape>(&shape)) {
    stations_ = divisions(capsule->length, step);
  } else if (samples_) {
    return;
  } else if (const auto* box = std::get_if<BoxShape>(&shape)) {
    samples_ = std::make_shared<const SurfaceSamples>(sample(box_mesh(box->size), step));
  } else if (const auto* hull = std::get_if<std::shared_ptr<const HullSolid>>(&shape)) {
    samples_ = std::make_shared<const SurfaceSamples>(sample((*hull)->mesh(), step));
  }
}

bool TerrainShape::find(const Pose& X_WS, const ElevationMap& map, double ceiling,
                        TerrainContact& contact) const {
  contact.points.clear();
  const Ground ground{map, ceiling};
  if (samples_) {
    find_polyhedron(*samples_, X_WS, ground, contact);
  } else if (const auto* sphere = std::get_if<SphereShape>(&shape_)) {
    find_sphere(*sphere, X_WS, ground, contact);
  } else if (const auto* capsule = std::get_if<CapsuleShape>(&shape_)) {
    find_capsule(*capsule, stations_, X_WS, ground, contact);
  } else if (const auto* cylinder = std::get_if<CylinderShape>(&shape_)) {
    find_cylinder(*cylinder, stations_, X_WS, ground, contact);
  }
  if (contact.points.empty()) return false;
  share_out(contact);
  return true;
}

}  // namespace grouser::internal
