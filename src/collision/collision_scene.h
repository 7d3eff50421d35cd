#pragma once

#include <span>
#include <vector>

#include "collision/aabb_tree.h"
#include "collision/collider.h"
#include "collision/terrain_contact.h"

namespace grouser::internal {

/// All that may touch: immutable, shared by threads. Colliders have numbers 0, 1, ... in the order given; grounds count
/// on after them.
class CollisionScene {
 public:
  /// A part of a collider, numbered through over all colliders.
  struct Part {
    int collider = 0;
    Vec3 centre = Vec3::Zero();  ///< of a ball that holds it, in the collider's frame [m]
    double reach = 0;            ///< radius of that [m]
  };

  /// All must have passed check().
  explicit CollisionScene(std::vector<Collider> colliders,
                          std::vector<GroundCollider> grounds = {});

  std::span<const Collider> colliders() const { return colliders_; }
  std::span<const GroundCollider> grounds() const { return grounds_; }

  /// Whether two colliders (or a collider and a ground) may touch: not inside one group, not on one body,
  /// not if both are fixed.
  bool may_touch(int a, int b) const;

  std::span<const int> moving() const { return moving_; }  ///< colliders on bodies
  /// Whether there are two colliders on bodies that may touch.
  bool movers_may_touch() const { return movers_may_touch_; }
  /// Colliders fixed to the world; leaf l is collider fixed()[l].
  const AabbTree& fixed_tree() const { return fixed_tree_; }
  std::span<const int> fixed() const { return fixed_; }

  const Aabb& local_box(int collider) const { return local_boxes_[index(collider)]; }
  /// By which moving boxes are fattened in a tree [m].
  double tree_margin() const { return tree_margin_; }
  std::span<const Part> parts() const { return parts_; }
  /// Number of a collider's first part; for one past the last collider, the number of all parts.
  int first_part(int collider) const { return first_part_[index(collider)]; }
  const TerrainShape& terrain_shape(int part, int ground) const {
    return terrain_shapes_[index(part) * grounds_.size() + index(ground)];
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  int body_of(int collider) const;
  int group_of(int collider) const;
  bool find_movers_that_may_touch() const;
  void place_colliders();
  void prepare_terrain_shapes();

  std::vector<Collider> colliders_;
  std::vector<GroundCollider> grounds_;
  std::vector<int> moving_, fixed_;
  bool movers_may_touch_ = false;
  AabbTree fixed_tree_;
  std::vector<Aabb> local_boxes_;
  double tree_margin_ = 0;
  std::vector<Part> parts_;
  std::vector<int> first_part_;
  std::vector<TerrainShape> terrain_shapes_;  // per part and ground; of fixed parts without samples
};

/// Box in W around a box in the frame of E.
Aabb rotated_box(const Pose& X_WE, const Aabb& box);

}  // namespace grouser::internal
