#include "contact/bbcc/broad_phase.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace grouser {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace

BroadPhase::BroadPhase(const BbccScene& scene)
    : boxes_(scene.elements().size()),
      part_boxes_(scene.parts().size()),
      X_WC_(scene.parts().size()),
      parts_are_set_(scene.elements().size(), 0),
      moving_tree_(scene.tree_margin()) {
  for (const int e : scene.fixed()) place_parts(scene, e, scene.elements()[index(e)].X_BE);
  if (!scene.movers_may_touch()) return;
  for (const int e : scene.moving()) moving_tree_.insert(scene.local_box(e));
}

void BroadPhase::place_parts(const BbccScene& scene, int element, const Pose& X_WE) {
  if (parts_are_set_[index(element)]) return;
  parts_are_set_[index(element)] = 1;
  const std::size_t first = index(scene.first_part(element));
  const std::vector<ContactPart>& parts = scene.elements()[index(element)].parts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    X_WC_[first + i] = X_WE * parts[i].X_EC;
    part_boxes_[first + i] = bounds(parts[i].shape, X_WC_[first + i]);
  }
}

/// The box of one part is tight; around several, that of the element is turned as a whole, and the parts
/// are only looked at if something is near.
void BroadPhase::place(const BbccScene& scene, int element, const Pose& X_WE) {
  parts_are_set_[index(element)] = 0;
  if (scene.elements()[index(element)].parts.size() == 1) {
    place_parts(scene, element, X_WE);
    boxes_[index(element)] = part_boxes_[index(scene.first_part(element))];
  } else {
    boxes_[index(element)] = rotated_box(X_WE, scene.local_box(element));
  }
}

void BroadPhase::offer(const BbccScene& scene, std::span<const Pose> X_WE, int a, int b) {
  if (!scene.may_touch(a, b)) return;
  if (a > b) std::swap(a, b);
  for (const int e : {a, b}) place_parts(scene, e, X_WE[index(e)]);
  const int first_a = scene.first_part(a), first_b = scene.first_part(b);
  for (int i = first_a; i < scene.first_part(a + 1); ++i) {
    const Aabb& box = part_boxes_[index(i)];
    for (int j = first_b; j < scene.first_part(b + 1); ++j) {
      if (box.overlaps(part_boxes_[index(j)])) {
        candidates_.push_back({.pair = {a, i - first_a, b, j - first_b}});
      }
    }
  }
}

void BroadPhase::offer_terrain(const BbccScene& scene, const Pose& X_WE, int element, int terrain) {
  const int number = static_cast<int>(scene.elements().size()) + terrain;
  if (!scene.may_touch(element, number)) return;
  const ElevationMap& map = *scene.terrains()[index(terrain)].map;
  const auto ceiling_under = [&](const Aabb& box) {
    return map.range({box.lower.head<2>(), box.upper.head<2>()}).max;
  };
  const Aabb& box = boxes_[index(element)];
  // A trial state that is not finite has no place on a map; it touches nothing else either.
  if (!box.lower.allFinite() || !box.upper.allFinite()) return;
  const double ceiling = ceiling_under(box);
  if (box.lower.z() >= ceiling) return;
  place_parts(scene, element, X_WE);
  const int first = scene.first_part(element), count = scene.first_part(element + 1) - first;
  for (int i = 0; i < count; ++i) {
    const Aabb& part = part_boxes_[index(first + i)];
    if (part.lower.z() >= ceiling) continue;
    const double own_ceiling = count == 1 ? ceiling : ceiling_under(part);
    if (part.lower.z() >= own_ceiling) continue;
    candidates_.push_back({.pair = {element, i, number, 0}, .ceiling = own_ceiling});
  }
}

std::span<const Candidate> BroadPhase::find(const BbccScene& scene, std::span<const Pose> X_WE) {
  assert(X_WE.size() == scene.elements().size());
  candidates_.clear();
  const std::span<const int> moving = scene.moving();
  for (const int e : moving) place(scene, e, X_WE[index(e)]);
  if (scene.movers_may_touch()) {
    for (std::size_t m = 0; m < moving.size(); ++m) {
      moving_tree_.update(static_cast<int>(m), boxes_[index(moving[m])]);
    }
    moving_tree_.renew();
    for (std::size_t m = 0; m < moving.size(); ++m) {
      moving_tree_.query(boxes_[index(moving[m])], [&](int leaf) {
        if (index(leaf) > m) offer(scene, X_WE, moving[m], moving[index(leaf)]);
      });
    }
  }
  for (const int e : moving) {
    scene.fixed_tree().query(boxes_[index(e)],
                             [&](int leaf) { offer(scene, X_WE, e, scene.fixed()[index(leaf)]); });
    for (std::size_t t = 0; t < scene.terrains().size(); ++t) {
      offer_terrain(scene, X_WE[index(e)], e, static_cast<int>(t));
    }
  }
  std::ranges::sort(candidates_, {}, &Candidate::pair);
  return candidates_;
}

}  // namespace grouser
