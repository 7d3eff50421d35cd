#include "contact/pcm/intersection.h"

#include <algorithm>
#include <limits>

#include "contact/pcm/packet_caster.h"
#include "geometry/bvh_pairs.h"
#include "geometry/triangle_intersection.h"

namespace grouser::internal {
namespace {

using Regions = IntersectionScratch::Regions;

TrianglePoints points_of(const TriMesh& mesh, std::int32_t triangle) {
  const Triangle& t = mesh.triangles[slot(triangle)];
  return {mesh.vertices[slot(t[0])], mesh.vertices[slot(t[1])], mesh.vertices[slot(t[2])]};
}

/// Whether all corners of b lie on one side of the plane of a, and not near it: then they do not cut each
/// other. Spares most pairs the exact test.
bool is_apart(const TrianglePoints& a, const TrianglePoints& b) {
  const Vec3 normal = (a[1] - a[0]).cross(a[2] - a[0]);
  double low = std::numeric_limits<double>::infinity(), high = -low, size = 0;
  for (const Vec3& p : b) {
    const Vec3 way = p - a[0];
    const double height = normal.dot(way);
    low = std::min(low, height);
    high = std::max(high, height);
    size = std::max(size, way.lpNorm<1>());
  }
  const double rounding = 1e-12 * normal.lpNorm<1>() * (size + a[0].lpNorm<1>());
  return low > rounding || high < -rounding;
}

void begin(const TriMesh& mesh, Regions& regions) {
  regions.kinds.assign(mesh.triangles.size(), Regions::unknown);
  regions.cut_ones.clear();
  regions.active.clear();
}

void mark_cut(std::int32_t triangle, Regions& regions) {
  if (regions.kinds[slot(triangle)] == Regions::cut) return;
  regions.kinds[slot(triangle)] = Regions::cut;
  regions.cut_ones.push_back(triangle);
}

/// From each triangle beside a cut one to all that hang together with it; X_OS: this surface in the frame
/// of the other.
void spread(const CleanSurface& surface, const CleanSurface& other, const Pose& X_OS,
            Regions& regions, std::vector<std::int32_t>& stack) {
  for (const std::int32_t cut : regions.cut_ones) {
    for (const std::int32_t seed : surface.neighbours()[slot(cut)]) {
      if (seed < 0 || regions.kinds[slot(seed)] != Regions::unknown) continue;
      const TrianglePoints p = points_of(surface.mesh(), seed);
      const Regions::Kind kind = other.contains(X_OS * Vec3((p[0] + p[1] + p[2]) / 3))
                                     ? Regions::inside
                                     : Regions::outside;
      regions.kinds[slot(seed)] = kind;
      stack.assign(1, seed);
      while (!stack.empty()) {
        const std::int32_t at = stack.back();
        stack.pop_back();
        for (const std::int32_t next : surface.neighbours()[slot(at)]) {
          if (next < 0 || regions.kinds[slot(next)] != Regions::unknown) continue;
          regions.kinds[slot(next)] = kind;
          stack.push_back(next);
        }
      }
    }
  }
  for (std::size_t t = 0; t < regions.kinds.size(); ++t) {
    const Regions::Kind kind = regions.kinds[t];
    if (kind == Regions::cut || kind == Regions::inside) {
      regions.active.push_back(static_cast<std::int32_t>(t));
    }
  }
}

}  // namespace

void detect_intersection(const BaseSurface& base, const CleanSurface& clean_base,
                         const CleanSurface& clean_target, const Pose& X_TB, DetectionFrame frame,
                         ContactElements& elements, IntersectionScratch& work,
                         DetectionScratch& scratch) {
  begin(clean_base.mesh(), work.base);
  begin(clean_target.mesh(), work.target);
  overlapping_pairs(clean_target.query().bvh(), clean_base.query().bvh(), X_TB,
                    [&](std::int32_t t, std::int32_t b) {
                      ++scratch.count.box_tests;
                      TrianglePoints moved = points_of(clean_base.mesh(), b);
                      for (Vec3& p : moved) p = X_TB * p;
                      const TrianglePoints at = points_of(clean_target.mesh(), t);
                      if (is_apart(at, moved) || is_apart(moved, at)) return;
                      if (!triangles_cut(at, moved)) return;
                      mark_cut(t, work.target);
                      mark_cut(b, work.base);
                    });
  const CastFrames frames(X_TB, frame);
  spread(clean_base, clean_target, X_TB, work.base, work.stack);
  spread(clean_target, clean_base, frames.X_BT, work.target, work.stack);
  const std::span<const std::int32_t> active = work.base.active;
  for (std::size_t first = 0; first < active.size(); first += 8) {
    const LinePacket packet = make_packet(
        base.elements(), active.subspan(first, std::min<std::size_t>(8, active.size() - first)));
    PacketCaster caster(frames, packet, base.max_penetration());
    for (const std::int32_t t : work.target.active) {
      const TrianglePoints p = points_of(clean_target.mesh(), t);
      ++scratch.count.ray_tests;
      caster.test(TargetTriangle::of(p[0], p[1], p[2]), t);
    }
    elements.store(packet, caster.hits(), scratch.found);
  }
}

}  // namespace grouser::internal
