#include "contact/bbcc/broad_phase.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "core/parallel.h"

namespace grouser {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

double range_under(const BbccScene& scene, const Aabb& box, int terrain) {
  const ElevationMap& map = *scene.terrains()[index(terrain)].map;
  return map.range({box.lower.head<2>(), box.upper.head<2>()}).max;
}

}  // namespace

BroadPhase::BroadPhase(const BbccScene& scene)
    : boxes_(scene.elements().size()),
      part_boxes_(scene.parts().size()),
      X_WC_(scene.parts().size()),
      parts_are_set_(scene.elements().size(), 0),
      ceilings_(scene.moving().size() * scene.terrains().size()),
      moving_tree_(scene.tree_margin()),
      ends_(scene.elements().size()) {
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

/// The highest ground under an element's box, or -infinity if it cannot touch that terrain.
double BroadPhase::ceiling_under(const BbccScene& scene, int element, int terrain) const {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  const int number = static_cast<int>(scene.elements().size()) + terrain;
  const Aabb& box = boxes_[index(element)];
  // A trial state that is not finite has no place on a map; it touches nothing else either.
  if (!scene.may_touch(element, number) || !box.lower.allFinite() || !box.upper.allFinite()) {
    return kNone;
  }
  const double ceiling = range_under(scene, box, terrain);
  return box.lower.z() < ceiling ? ceiling : kNone;
}

void BroadPhase::offer_terrain(const BbccScene& scene, const Pose& X_WE, int element, int terrain,
                               double ceiling) {
  if (std::isinf(ceiling)) return;
  place_parts(scene, element, X_WE);
  const int number = static_cast<int>(scene.elements().size()) + terrain;
  const int first = scene.first_part(element), count = scene.first_part(element + 1) - first;
  for (int i = 0; i < count; ++i) {
    const Aabb& part = part_boxes_[index(first + i)];
    if (part.lower.z() >= ceiling) continue;
    const double own_ceiling = count == 1 ? ceiling : range_under(scene, part, terrain);
    if (part.lower.z() >= own_ceiling) continue;
    candidates_.push_back({.pair = {element, i, number, 0}, .ceiling = own_ceiling});
  }
}

void BroadPhase::place_all(const BbccScene& scene, std::span<const Pose> X_WE) {
  const std::span<const int> moving = scene.moving();
  const std::size_t terrains = scene.terrains().size();
  constexpr std::size_t kGrain = 128;  // elements per chunk: some 30 µs of work
  parallel_for(moving.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t m = begin; m < end; ++m) {
      place(scene, moving[m], X_WE[index(moving[m])]);
      for (std::size_t t = 0; t < terrains; ++t) {
        ceilings_[m * terrains + t] = ceiling_under(scene, moving[m], static_cast<int>(t));
      }
    }
  });
}

/// First by element a, by counting; those of one element are few.
void BroadPhase::sort_candidates() {
  std::ranges::fill(ends_, 0);
  for (const Candidate& candidate : candidates_) ++ends_[index(candidate.pair.a)];
  std::size_t sum = 0;
  for (std::size_t& end : ends_) {
    const std::size_t count = end;
    end = sum;  // so far where the element's begin
    sum += count;
  }
  sorted_.resize(candidates_.size());
  for (const Candidate& candidate : candidates_) {
    sorted_[ends_[index(candidate.pair.a)]++] = candidate;
  }
  std::size_t begin = 0;
  for (const std::size_t end : ends_) {
    if (end - begin > 1) {
      std::ranges::sort(std::span(sorted_).subspan(begin, end - begin), {}, &Candidate::pair);
    }
    begin = end;
  }
}

std::span<const Candidate> BroadPhase::find(const BbccScene& scene, std::span<const Pose> X_WE) {
  assert(X_WE.size() == scene.elements().size());
  candidates_.clear();
  const std::span<const int> moving = scene.moving();
  place_all(scene, X_WE);
  if (scene.movers_may_touch()) {
    for (std::size_t m = 0; m < moving.size(); ++m) {
      moving_tree_.update(static_cast<int>(m), boxes_[index(moving[m])]);
    }
    moving_tree_.renew();
    moving_tree_.pairs(
        [&](int a, int b) { offer(scene, X_WE, moving[index(a)], moving[index(b)]); });
  }
  const std::size_t terrains = scene.terrains().size();
  for (std::size_t m = 0; m < moving.size(); ++m) {
    const int e = moving[m];
    scene.fixed_tree().query(boxes_[index(e)],
                             [&](int leaf) { offer(scene, X_WE, e, scene.fixed()[index(leaf)]); });
    for (std::size_t t = 0; t < terrains; ++t) {
      offer_terrain(scene, X_WE[index(e)], e, static_cast<int>(t), ceilings_[m * terrains + t]);
    }
  }
  sort_candidates();
  return sorted_;
}

}  // namespace grouser
