#pragma once

#include <span>
#include <vector>

#include "contact/bbcc/bbcc_scene.h"
#include "contact/bbcc/bbcc_state.h"

namespace grouser {

/// Two parts whose boxes overlap, or a part whose box reaches below the highest ground under it.
struct Candidate {
  PartPair pair;
  double ceiling = 0;  ///< terrain: of the ground under the part's box [m]
};

/// Finds which parts may touch. Work space only: what it finds is a function of scene and poses.
class BroadPhase {
 public:
  explicit BroadPhase(const BbccScene& scene);

  /// Poses of all elements in W (those of fixed ones are not read). The candidates that may touch by group
  /// and body and whose boxes overlap, sorted by pair. Valid until the next call.
  std::span<const Candidate> find(const BbccScene& scene, std::span<const Pose> X_WE);

  /// Pose of a part in W; only of parts that stand in a candidate.
  const Pose& X_WC(int part) const { return X_WC_[static_cast<std::size_t>(part)]; }

 private:
  void place(const BbccScene& scene, int element, const Pose& X_WE);
  void place_parts(const BbccScene& scene, int element, const Pose& X_WE);
  void offer(const BbccScene& scene, std::span<const Pose> X_WE, int a, int b);
  double ceiling_under(const BbccScene& scene, int element, int terrain) const;
  void offer_terrain(const BbccScene& scene, const Pose& X_WE, int element, int terrain,
                     double ceiling);
  void sort_candidates();
  void place_all(const BbccScene& scene, std::span<const Pose> X_WE);

  std::vector<Aabb> boxes_;          // per element
  std::vector<Aabb> part_boxes_;     // per part
  std::vector<Pose> X_WC_;           // per part
  std::vector<char> parts_are_set_;  // per element: whether its parts were placed in this call
  std::vector<double> ceilings_;     // per moving element and terrain [m]
  AabbTree moving_tree_;             // leaf l is element scene.moving()[l]
  std::vector<Candidate> candidates_, sorted_;
  std::vector<std::size_t> ends_;  // per element: of its candidates
};

}  // namespace grouser
