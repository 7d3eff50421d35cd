#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/bbcc/aabb_tree.h"
#include "contact/bbcc/element.h"
#include "contact/bbcc/terrain_contact.h"

namespace grouser {

struct BbccOptions {
  ContactLaws laws = ContactLaws::hertz;
  /// One point per pair of parts, as in the paper. Not on terrain, which the paper makes of cuboids.
  bool single_point = false;
};

/// All that may touch, and by which laws: immutable, shared by threads. Elements have numbers 0, 1, ... in
/// the order given; terrains count on after them.
class BbccScene {
 public:
  /// A part of an element, numbered through over all elements.
  struct Part {
    int element = 0;
    ContactRadius radius;
    Vec3 centre = Vec3::Zero();  ///< of a ball that holds it, in the element's frame [m]
    double reach = 0;            ///< radius of that [m]
  };

  /// Throws Error(input) with everything that is wrong with any of them.
  explicit BbccScene(std::vector<ContactElement> elements,
                     std::vector<TerrainElement> terrains = {}, const BbccOptions& options = {});

  std::span<const ContactElement> elements() const { return elements_; }
  std::span<const TerrainElement> terrains() const { return terrains_; }
  const BbccOptions& options() const { return options_; }

  /// Whether two elements (or an element and a terrain) may touch: not inside one group, not on one body,
  /// not if both are fixed.
  bool may_touch(int a, int b) const;

  std::span<const int> moving() const { return moving_; }  ///< elements on bodies
  /// Whether there are two elements on bodies that may touch.
  bool movers_may_touch() const { return movers_may_touch_; }
  /// Elements fixed to the world; leaf l is element fixed()[l].
  const AabbTree& fixed_tree() const { return fixed_tree_; }
  std::span<const int> fixed() const { return fixed_; }
  const Aabb& local_box(int element) const { return local_boxes_[index(element)]; }
  /// By which moving boxes are fattened in a tree [m].
  double tree_margin() const { return tree_margin_; }

  std::span<const Part> parts() const { return parts_; }
  /// Number of an element's first part; for one past the last element, the number of all parts.
  int first_part(int element) const { return first_part_[index(element)]; }
  const TerrainShape& terrain_shape(int part, int terrain) const {
    return terrain_shapes_[index(part) * terrains_.size() + index(terrain)];
  }

  /// Laws of two elements (or terrains) against each other.
  const MaterialPair& materials(int a, int b) const {
    return pairs_[index(material_of_[index(a)]) * kinds_ + index(material_of_[index(b)])];
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  int body_of(int element) const;
  int group_of(int element) const;
  bool find_movers_that_may_touch() const;
  void pair_materials();
  void place_elements();
  void prepare_terrain_shapes();

  std::vector<ContactElement> elements_;
  std::vector<TerrainElement> terrains_;
  BbccOptions options_;
  std::vector<int> moving_, fixed_;
  bool movers_may_touch_ = false;
  AabbTree fixed_tree_;
  std::vector<Aabb> local_boxes_;
  double tree_margin_ = 0;
  std::vector<Part> parts_;
  std::vector<int> first_part_;
  std::vector<TerrainShape>
      terrain_shapes_;               // per part and terrain; of fixed parts without samples
  std::vector<int> material_of_;     // per element and terrain: kind
  std::size_t kinds_ = 0;            // of material that differ
  std::vector<MaterialPair> pairs_;  // kinds x kinds
};

/// Box in W around a box in the frame of E.
Aabb rotated_box(const Pose& X_WE, const Aabb& box);

}  // namespace grouser
