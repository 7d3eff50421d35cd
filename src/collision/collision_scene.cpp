#include "collision/collision_scene.h"

#include <map>
#include <utility>

namespace grouser::internal {

Aabb rotated_box(const Pose& X_WE, const Aabb& box) {
  const Vec3 centre = X_WE * box.centre();
  const Vec3 half = X_WE.R.cwiseAbs() * (0.5 * box.size());
  return {centre - half, centre + half};
}

CollisionScene::CollisionScene(std::vector<Collider> colliders, std::vector<GroundCollider> grounds)
    : colliders_(std::move(colliders)), grounds_(std::move(grounds)) {
  place_colliders();
  prepare_terrain_shapes();
  movers_may_touch_ = find_movers_that_may_touch();
}

int CollisionScene::body_of(int collider) const {
  return index(collider) < colliders_.size() ? colliders_[index(collider)].body : Collider::kFixed;
}

int CollisionScene::group_of(int collider) const {
  const std::size_t i = index(collider);
  return i < colliders_.size() ? colliders_[i].group : grounds_[i - colliders_.size()].group;
}

bool CollisionScene::may_touch(int a, int b) const {
  if (body_of(a) == body_of(b)) return false;  // also two that are fixed
  const int group = group_of(a);
  return group == Collider::kNoGroup || group != group_of(b);
}

bool CollisionScene::find_movers_that_may_touch() const {
  for (std::size_t m = 1; m < moving_.size(); ++m) {
    for (std::size_t k = 0; k < m; ++k) {
      if (may_touch(moving_[k], moving_[m])) return true;
    }
  }
  return false;
}

void CollisionScene::place_colliders() {
  constexpr double kMore = 1 + 1e-12;  // than what rounding may add to a box
  double sizes = 0;
  for (std::size_t e = 0; e < colliders_.size(); ++e) {
    const Collider& collider = colliders_[e];
    const bool is_fixed = collider.body == Collider::kFixed;
    (is_fixed ? fixed_ : moving_).push_back(static_cast<int>(e));
    local_boxes_.push_back(local_bounds(collider));
    if (!is_fixed) sizes += local_boxes_.back().size().maxCoeff();
    if (is_fixed) {
      Aabb box;
      for (const ContactPart& part : collider.parts) {
        box.add(bounds(part.shape, collider.X_BE * part.X_EC));
      }
      fixed_tree_.insert(box);
    }
    first_part_.push_back(static_cast<int>(parts_.size()));
    for (const ContactPart& part : collider.parts) {
      const Aabb box = bounds(part.shape, Pose{});
      parts_.push_back({.collider = static_cast<int>(e),
                        .centre = part.X_EC * box.centre(),
                        .reach = 0.5 * kMore * box.size().norm()});
    }
  }
  fixed_tree_.renew();
  first_part_.push_back(static_cast<int>(parts_.size()));
  constexpr double kMargin = 0.1;  // of the mean size: a body moves on for some steps within it
  if (!moving_.empty()) tree_margin_ = kMargin * sizes / static_cast<double>(moving_.size());
}

void CollisionScene::prepare_terrain_shapes() {
  using Key = std::pair<const HullSolid*, std::size_t>;
  std::map<Key, std::shared_ptr<const SurfaceSamples>> known;  // for bodies that share a hull
  const auto none = std::make_shared<const SurfaceSamples>();
  for (const Collider& collider : colliders_) {
    const bool is_fixed = collider.body == Collider::kFixed;
    for (const ContactPart& part : collider.parts) {
      const auto* hull = std::get_if<std::shared_ptr<const HullSolid>>(&part.shape);
      for (std::size_t t = 0; t < grounds_.size(); ++t) {
        const ElevationMap& map = *grounds_[t].map;
        if (!hull) {
          terrain_shapes_.emplace_back(part.shape, map);
          continue;
        }
        if (is_fixed) {  // never asked where it meets the ground
          terrain_shapes_.emplace_back(part.shape, map, none);
          continue;
        }
        auto& samples = known[Key{hull->get(), t}];
        terrain_shapes_.emplace_back(part.shape, map, samples);
        samples = terrain_shapes_.back().samples();
      }
    }
  }
}

}  // namespace grouser::internal
