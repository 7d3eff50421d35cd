#include "collision/overlap.h"

#include "core/index.h"

namespace grouser::internal {

bool find_overlap(const CollisionScene& scene, const BroadPhase& broad_phase,
                  const Candidate& candidate, const NarrowPhaseOptions& options, Overlap& overlap) {
  const PartPair& pair = candidate.pair;
  const int part_a = scene.first_part(pair.a) + pair.i;
  const int ground = pair.b - static_cast<int>(scene.colliders().size());
  overlap.is_on_ground = ground >= 0;
  if (overlap.is_on_ground) {
    return scene.terrain_shape(part_a, ground)
        .find(broad_phase.X_WC(part_a), *scene.grounds()[at(ground)].map, candidate.ceiling,
              overlap.terrain);
  }
  const int part_b = scene.first_part(pair.b) + pair.j;
  const auto shape = [&](int collider, int part) -> const Convex& {
    return scene.colliders()[at(collider)].parts[at(part)].shape;
  };
  return find_patch(shape(pair.a, pair.i), broad_phase.X_WC(part_a), shape(pair.b, pair.j),
                    broad_phase.X_WC(part_b), options, overlap.patch);
}

std::span<const OverlappingPair> OverlapFinder::find(const CollisionScene& scene,
                                                     std::span<const Pose> X_WE,
                                                     const NarrowPhaseOptions& options) {
  const auto note = [&](const Candidate& candidate, Overlap& overlap, OverlappingPair& found,
                        std::vector<OverlapPoint>& points) {
    if (!find_overlap(scene, broad_phase_, candidate, options, overlap)) return;
    found.depth = 0;
    overlap.each_point([&](const Vec3& p, const Vec3& normal, double depth, double /*share*/) {
      points.push_back({.p = p, .normal = normal, .depth = depth});
      if (depth <= found.depth) return;
      found.depth = depth;
      found.normal = normal;
    });
  };
  loop_.run(broad_phase_.find(scene, X_WE), [&](const PartPair& /*first*/) { return note; });
  loop_.gather(found_);
  return found_;
}

}  // namespace grouser::internal
