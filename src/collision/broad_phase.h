#pragma once

#include <span>
#include <vector>

#include "collision/collision_scene.h"
#include "collision/part_pair.h"

namespace grouser::internal {

/// Two parts whose boxes overlap, or a part whose box reaches below the highest ground under it.
struct Candidate {
  PartPair pair;
  double ceiling = 0;  ///< terrain: of the ground under the part's box [m]
};

/// Finds which parts may touch. Work space only: what it finds is a function of scene and poses.
class BroadPhase {
 public:
  explicit BroadPhase(const CollisionScene& scene);

  /// Poses of all colliders in W (those of fixed ones are not read). The candidates that may touch by group
  /// and body and whose boxes overlap, sorted by pair. Valid until the next call.
  std::span<const Candidate> find(const CollisionScene& scene, std::span<const Pose> X_WE);

  /// Pose of a part in W; only of parts that stand in a candidate.
  const Pose& X_WC(int part) const { return X_WC_[static_cast<std::size_t>(part)]; }

 private:
  /// Fixed colliders near a moving one: those that may touch it and overlap a box somewhat larger than its
  /// own. Kept until it leaves that.
  struct Near {
    Aabb box;
    std::vector<int> colliders;
  };

  /// Boxes around the balls that hold the parts: quicker than their own, and more often than not enough to
  /// see that a part is far away. Each value side by side, per part.
  struct Balls {
    std::vector<double> x, y, z;        // centres in the collider's frame
    std::vector<double> w_x, w_y, w_z;  // in W
    std::vector<double> radius;

    explicit Balls(const CollisionScene& scene);
    void place(std::size_t begin, std::size_t end, const Pose& X_WE);
    /// Notes in `is_near` which of them reach into a box.
    void compare(std::size_t begin, std::size_t end, const Aabb& box, int* is_near) const;
  };

  void place(const CollisionScene& scene, int collider, const Pose& X_WE);
  void place_part(const CollisionScene& scene, int part, const Pose& X_WE);
  const Aabb& placed(const CollisionScene& scene, int part, const Pose& X_WE);
  void offer(const CollisionScene& scene, std::span<const Pose> X_WE, int a, int b);
  void update_near(const CollisionScene& scene, int collider, Near& near) const;
  double ceiling_under(const CollisionScene& scene, int collider, int terrain) const;
  void offer_terrain(const CollisionScene& scene, const Pose& X_WE, int collider, int terrain,
                     double ceiling);
  void sort_candidates();
  void place_all(const CollisionScene& scene, std::span<const Pose> X_WE);

  std::vector<Aabb> boxes_;       // per collider
  std::vector<Aabb> part_boxes_;  // per part
  std::vector<Pose> X_WC_;        // per part
  std::vector<char> is_placed_;   // per part: in this call; fixed ones always
  Balls balls_;
  std::vector<int> is_near_;      // per part, while a collider is compared to another
  std::vector<double> ceilings_;  // per moving collider and terrain [m]
  AabbTree moving_tree_;          // leaf l is collider scene.moving()[l]
  std::vector<Near> near_;        // per moving collider
  std::vector<Candidate> candidates_, sorted_;
  std::vector<std::size_t> ends_;  // per collider: of its candidates
};

}  // namespace grouser::internal
