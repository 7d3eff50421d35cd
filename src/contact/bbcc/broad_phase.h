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
  /// Fixed elements near a moving one: those that may touch it and overlap a box somewhat larger than its
  /// own. Kept until it leaves that.
  struct Near {
    Aabb box;
    std::vector<int> elements;
  };

  /// Boxes around the balls that hold the parts: quicker than their own, and more often than not enough to
  /// see that a part is far away. Each value side by side, per part.
  struct Balls {
    std::vector<double> x, y, z;        // centres in the element's frame
    std::vector<double> w_x, w_y, w_z;  // in W
    std::vector<double> radius;

    explicit Balls(const BbccScene& scene);
    void place(std::size_t begin, std::size_t end, const Pose& X_WE);
    /// Notes in `is_near` which of them reach into a box.
    void compare(std::size_t begin, std::size_t end, const Aabb& box, int* is_near) const;
  };

  void place(const BbccScene& scene, int element, const Pose& X_WE);
  void place_part(const BbccScene& scene, int part, const Pose& X_WE);
  const Aabb& placed(const BbccScene& scene, int part, const Pose& X_WE);
  void offer(const BbccScene& scene, std::span<const Pose> X_WE, int a, int b);
  void update_near(const BbccScene& scene, int element, Near& near) const;
  double ceiling_under(const BbccScene& scene, int element, int terrain) const;
  void offer_terrain(const BbccScene& scene, const Pose& X_WE, int element, int terrain,
                     double ceiling);
  void sort_candidates();
  void place_all(const BbccScene& scene, std::span<const Pose> X_WE);

  std::vector<Aabb> boxes_;       // per element
  std::vector<Aabb> part_boxes_;  // per part
  std::vector<Pose> X_WC_;        // per part
  std::vector<char> is_placed_;   // per part: in this call; fixed ones always
  Balls balls_;
  std::vector<int> is_near_;      // per part, while an element is compared to another
  std::vector<double> ceilings_;  // per moving element and terrain [m]
  AabbTree moving_tree_;          // leaf l is element scene.moving()[l]
  std::vector<Near> near_;        // per moving element
  std::vector<Candidate> candidates_, sorted_;
  std::vector<std::size_t> ends_;  // per element: of its candidates
};

}  // namespace grouser
