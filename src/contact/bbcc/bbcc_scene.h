#pragma once

#include <span>
#include <vector>

#include "collision/collision_scene.h"
#include "contact/bbcc/element.h"

namespace grouser::internal {

struct BbccOptions {
  ContactLaws laws = ContactLaws::hertz;
  /// One point per pair of parts, as in the paper. Not on terrain, which the paper makes of cuboids.
  bool single_point = false;
};

/// All that may touch, and by which laws: immutable, shared by threads. Elements are its colliders, terrains its grounds.
class BbccScene : public CollisionScene {
 public:
  /// Throws Error(input) with everything that is wrong with any of them.
  explicit BbccScene(std::vector<ContactElement> elements,
                     std::vector<TerrainElement> terrains = {}, const BbccOptions& options = {});

  std::span<const ContactElement> elements() const { return elements_; }
  std::span<const TerrainElement> terrains() const { return terrains_; }
  const BbccOptions& options() const { return options_; }

  /// Of a part, as parts() counts them.
  const ContactRadius& radius(int part) const { return radii_[index(part)]; }
  /// Laws of two elements (or terrains) against each other.
  const MaterialPair& materials(int a, int b) const {
    return pairs_[index(material_of_[index(a)]) * kinds_ + index(material_of_[index(b)])];
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  void pair_materials();

  std::vector<ContactElement> elements_;
  std::vector<TerrainElement> terrains_;
  BbccOptions options_;
  std::vector<ContactRadius> radii_;  // per part
  std::vector<int> material_of_;      // per element and terrain: kind
  std::size_t kinds_ = 0;             // of material that differ
  std::vector<MaterialPair> pairs_;   // kinds x kinds
};

}  // namespace grouser::internal
