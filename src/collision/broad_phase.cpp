#include "collision/broad_phase.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "collision/point3.h"
#include "core/index.h"
#include "core/parallel.h"

namespace grouser::internal {
namespace {

double range_under(const CollisionScene& scene, const Aabb& box, int terrain) {
  const ElevationMap& map = *scene.grounds()[at(terrain)].map;
  return map.range({box.lower.head<2>(), box.upper.head<2>()}).max;
}

}  // namespace

BroadPhase::Balls::Balls(const CollisionScene& scene)
    : w_x(scene.parts().size()), w_y(scene.parts().size()), w_z(scene.parts().size()) {
  for (const CollisionScene::Part& part : scene.parts()) {
    x.push_back(part.centre.x());
    y.push_back(part.centre.y());
    z.push_back(part.centre.z());
    radius.push_back(part.reach);
  }
}

void BroadPhase::Balls::place(std::size_t begin, std::size_t end, const Pose& X) {
  const auto along = [&](int axis, std::vector<double>& to) {
    const double r0 = X.R(axis, 0), r1 = X.R(axis, 1), r2 = X.R(axis, 2), p = X.p[axis];
    for (std::size_t k = begin; k < end; ++k) to[k] = r0 * x[k] + r1 * y[k] + r2 * z[k] + p;
  };
  along(0, w_x);
  along(1, w_y);
  along(2, w_z);
}

void BroadPhase::Balls::compare(std::size_t begin, std::size_t end, const Aabb& box,
                                int* is_near) const {
  const auto [low_x, low_y, low_z] = Point3(box.lower);
  const auto [high_x, high_y, high_z] = Point3(box.upper);
  for (std::size_t k = begin; k < end; ++k) {
    const double r = radius[k];
    const int x = w_x[k] - r <= high_x, x2 = w_x[k] + r >= low_x;
    const int y = w_y[k] - r <= high_y, y2 = w_y[k] + r >= low_y;
    const int z = w_z[k] - r <= high_z, z2 = w_z[k] + r >= low_z;
    is_near[k] = (x & x2 & y & y2 & z & z2) != 0;
  }
}

BroadPhase::BroadPhase(const CollisionScene& scene)
    : boxes_(scene.colliders().size()),
      part_boxes_(scene.parts().size()),
      X_WC_(scene.parts().size()),
      is_placed_(scene.parts().size(), 0),
      balls_(scene),
      is_near_(scene.parts().size()),
      ceilings_(scene.moving().size() * scene.grounds().size()),
      moving_tree_(scene.tree_margin()),
      near_(scene.moving().size()),
      ends_(scene.colliders().size()) {
  for (const int e : scene.fixed()) {
    balls_.place(at(scene.first_part(e)), at(scene.first_part(e + 1)),
                 scene.colliders()[at(e)].X_BE);
    for (int part = scene.first_part(e); part < scene.first_part(e + 1); ++part) {
      boxes_[at(e)].add(placed(scene, part, scene.colliders()[at(e)].X_BE));
    }
  }
  if (!scene.movers_may_touch()) return;
  for (const int e : scene.moving()) moving_tree_.insert(scene.local_box(e));
}

void BroadPhase::place_part(const CollisionScene& scene, int part, const Pose& X_WE) {
  const int collider = scene.parts()[at(part)].collider;
  const ContactPart& own =
      scene.colliders()[at(collider)].parts[at(part - scene.first_part(collider))];
  X_WC_[at(part)] = X_WE * own.X_EC;
  part_boxes_[at(part)] = bounds(own.shape, X_WC_[at(part)]);
  is_placed_[at(part)] = 1;
}

const Aabb& BroadPhase::placed(const CollisionScene& scene, int part, const Pose& X_WE) {
  if (!is_placed_[at(part)]) place_part(scene, part, X_WE);
  return part_boxes_[at(part)];
}

/// The box of one part is tight; around several, that of the collider is turned as a whole, and the parts
/// are only looked at if something is near.
void BroadPhase::place(const CollisionScene& scene, int collider, const Pose& X_WE) {
  const int first = scene.first_part(collider), end = scene.first_part(collider + 1);
  if (end == first + 1) {
    place_part(scene, first, X_WE);
    boxes_[at(collider)] = part_boxes_[at(first)];
  } else {
    std::fill(is_placed_.begin() + first, is_placed_.begin() + end, char{0});
    balls_.place(at(first), at(end), X_WE);
    boxes_[at(collider)] = rotated_box(X_WE, scene.local_box(collider));
  }
}

void BroadPhase::offer(const CollisionScene& scene, std::span<const Pose> X_WE, int a, int b) {
  if (a > b) std::swap(a, b);
  const int first_a = scene.first_part(a), end_a = scene.first_part(a + 1);
  const int first_b = scene.first_part(b), end_b = scene.first_part(b + 1);
  const Aabb &all_of_a = boxes_[at(a)], &all_of_b = boxes_[at(b)];
  const auto find_near = [&](int first, int end, const Aabb& other) {
    is_near_[at(first)] = 1;  // if it is the only one, its box is the collider's, which overlaps
    if (end > first + 1) balls_.compare(at(first), at(end), other, is_near_.data());
  };
  find_near(first_a, end_a, all_of_b);
  find_near(first_b, end_b, all_of_a);
  for (int i = first_a; i < end_a; ++i) {
    if (!is_near_[at(i)]) continue;
    const Aabb& box = placed(scene, i, X_WE[at(a)]);
    if (!box.overlaps(all_of_b)) continue;
    for (int j = first_b; j < end_b; ++j) {
      if (!is_near_[at(j)]) continue;
      if (box.overlaps(placed(scene, j, X_WE[at(b)]))) {
        candidates_.push_back({.pair = {a, i - first_a, b, j - first_b}});
      }
    }
  }
}

void BroadPhase::update_near(const CollisionScene& scene, int collider, Near& near) const {
  const Aabb& box = boxes_[at(collider)];
  if (contains(near.box, box)) return;
  near.box = {box.lower.array() - scene.tree_margin(), box.upper.array() + scene.tree_margin()};
  near.colliders.clear();
  scene.fixed_tree().query(near.box, [&](int leaf) {
    const int other = scene.fixed()[at(leaf)];
    if (scene.may_touch(collider, other)) near.colliders.push_back(other);
  });
  std::ranges::sort(near.colliders);
}

/// The highest ground under a collider's box, or -infinity if it cannot touch that terrain.
double BroadPhase::ceiling_under(const CollisionScene& scene, int collider, int terrain) const {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  const int number = static_cast<int>(scene.colliders().size()) + terrain;
  const Aabb& box = boxes_[at(collider)];
  // A trial state that is not finite has no place on a map; it touches nothing else either.
  if (!scene.may_touch(collider, number) || !box.lower.allFinite() || !box.upper.allFinite()) {
    return kNone;
  }
  const double ceiling = range_under(scene, box, terrain);
  return box.lower.z() < ceiling ? ceiling : kNone;
}

void BroadPhase::offer_terrain(const CollisionScene& scene, const Pose& X_WE, int collider,
                               int terrain, double ceiling) {
  if (std::isinf(ceiling)) return;
  const int number = static_cast<int>(scene.colliders().size()) + terrain;
  const int first = scene.first_part(collider), count = scene.first_part(collider + 1) - first;
  for (int i = 0; i < count; ++i) {
    if (count > 1 && balls_.w_z[at(first + i)] - balls_.radius[at(first + i)] >= ceiling) {
      continue;
    }
    const Aabb& part = placed(scene, first + i, X_WE);
    if (part.lower.z() >= ceiling) continue;
    const double own_ceiling = count == 1 ? ceiling : range_under(scene, part, terrain);
    if (part.lower.z() >= own_ceiling) continue;
    candidates_.push_back({.pair = {collider, i, number, 0}, .ceiling = own_ceiling});
  }
}

void BroadPhase::place_all(const CollisionScene& scene, std::span<const Pose> X_WE) {
  const std::span<const int> moving = scene.moving();
  const std::size_t terrains = scene.grounds().size();
  constexpr std::size_t kGrain = 128;  // colliders per chunk: some 30 µs of work
  parallel_for(moving.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t m = begin; m < end; ++m) {
      place(scene, moving[m], X_WE[at(moving[m])]);
      update_near(scene, moving[m], near_[m]);
      for (std::size_t t = 0; t < terrains; ++t) {
        ceilings_[m * terrains + t] = ceiling_under(scene, moving[m], static_cast<int>(t));
      }
    }
  });
}

/// First by collider a, by counting; those of one collider are few.
void BroadPhase::sort_candidates() {
  std::ranges::fill(ends_, 0);
  for (const Candidate& candidate : candidates_) ++ends_[at(candidate.pair.a)];
  std::size_t sum = 0;
  for (std::size_t& end : ends_) {
    const std::size_t count = end;
    end = sum;  // so far where the collider's begin
    sum += count;
  }
  sorted_.resize(candidates_.size());
  for (const Candidate& candidate : candidates_) {
    sorted_[ends_[at(candidate.pair.a)]++] = candidate;
  }
  std::size_t begin = 0;
  for (const std::size_t end : ends_) {
    if (end - begin > 1) {
      std::ranges::sort(std::span(sorted_).subspan(begin, end - begin), {}, &Candidate::pair);
    }
    begin = end;
  }
}

std::span<const Candidate> BroadPhase::find(const CollisionScene& scene,
                                            std::span<const Pose> X_WE) {
  assert(X_WE.size() == scene.colliders().size());
  candidates_.clear();
  const std::span<const int> moving = scene.moving();
  place_all(scene, X_WE);
  if (scene.movers_may_touch()) {
    for (std::size_t m = 0; m < moving.size(); ++m) {
      moving_tree_.update(static_cast<int>(m), boxes_[at(moving[m])]);
    }
    moving_tree_.renew();
    moving_tree_.pairs([&](int leaf_a, int leaf_b) {
      const int a = moving[at(leaf_a)], b = moving[at(leaf_b)];
      if (scene.may_touch(a, b)) offer(scene, X_WE, a, b);
    });
  }
  const std::size_t terrains = scene.grounds().size();
  for (std::size_t m = 0; m < moving.size(); ++m) {
    const int e = moving[m];
    for (const int other : near_[m].colliders) {
      if (boxes_[at(e)].overlaps(boxes_[at(other)])) offer(scene, X_WE, e, other);
    }
    for (std::size_t t = 0; t < terrains; ++t) {
      offer_terrain(scene, X_WE[at(e)], e, static_cast<int>(t), ceilings_[m * terrains + t]);
    }
  }
  // Bodies among obstacles that were named after them come in order.
  if (std::ranges::is_sorted(candidates_, {}, &Candidate::pair)) return candidates_;
  sort_candidates();
  return sorted_;
}

}  // namespace grouser::internal
