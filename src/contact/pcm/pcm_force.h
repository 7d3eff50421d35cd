#pragma once

#include <span>
#include <vector>

#include "contact/pcm/intersection.h"
#include "contact/pcm/patch.h"
#include "contact/pcm/pcm_scene.h"

namespace grouser::internal {

/// A pair in contact.
struct PcmContact {
  int pair = 0;
  double depth = 0;  ///< greatest of its elements [m]
  Wrench wrench;     ///< on the base, at its surface's origin, axes of W
  Wrench reaction;   ///< on the target, at its surface's origin (at W's if terrain), axes of W
  std::span<const PatchElement> patch;  ///< in the frame of the base
};

/// What contact does to the surfaces. Valid until the next evaluation in the same scratch.
struct PcmForce {
  std::vector<Wrench> wrenches;  ///< per surface, at its origin, axes of W
  std::vector<PcmContact> contacts;
  DetectionCount count;
};

/// Work space for pcm_force(); one per thread that evaluates. Grows to what was ever near each other and
/// allocates no more then.
struct PcmScratch {
  explicit PcmScratch(const PcmScene& scene);

  PcmForce force;
  std::vector<double> greatest_depth;  ///< per pair, over all evaluations so far [m]

  /// What a pair needs while it is near.
  struct Slot {
    int pair = 0;
    ContactElements elements;
    std::vector<DetectionScratch> threads;
    IntersectionScratch intersection;
    std::vector<PatchElement> patch;
    PcmContact contact;
  };
  std::vector<Slot> slots;
  std::vector<int> slot_of;        // per pair: a pair keeps its slot while it is near; -1: none
  std::vector<int> free;           // slots without a pair
  std::vector<int> near;           // slots of the pairs that are near, in the order of pairs
  std::vector<Aabb> boxes;         // of the surfaces, in W
  std::vector<MapWindow> windows;  // per pair; used with terrain
};

/// Forces of all contacts at given poses and twists of the surfaces (of their origins, axes of W; those of
/// fixed surfaces are not read). There is no memory: any trial state, any number of times. Pairs, and parts
/// of large meshes, are looked at in parallel; elements and pairs are summed in order: the same bits for
/// any number of threads.
const PcmForce& pcm_force(const PcmScene& scene, std::span<const Pose> X_WS,
                          std::span<const Twist> V_WS, PcmScratch& scratch);

}  // namespace grouser::internal
