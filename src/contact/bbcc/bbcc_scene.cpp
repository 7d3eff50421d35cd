#include "contact/bbcc/bbcc_scene.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace grouser {
namespace {

void check_all(std::span<const ContactElement> elements, std::span<const TerrainElement> terrains) {
  IssueList issues;
  const auto place = [](const char* list, std::size_t i, const std::string& name) {
    return name.empty() ? fmt::format("{}[{}]", list, i) : fmt::format("{}.{}", list, name);
  };
  for (std::size_t i = 0; i < elements.size(); ++i) {
    check(elements[i], place("elements", i, elements[i].name), issues);
  }
  for (std::size_t i = 0; i < terrains.size(); ++i) {
    check(terrains[i], place("terrains", i, terrains[i].name), issues);
  }
  issues.throw_if_any();
}

}  // namespace

Aabb rotated_box(const Pose& X_WE, const Aabb& box) {
  const Vec3 centre = X_WE * box.centre();
  const Vec3 half = X_WE.R.cwiseAbs() * (0.5 * box.size());
  return {centre - half, centre + half};
}

BbccScene::BbccScene(std::vector<ContactElement> elements, std::vector<TerrainElement> terrains,
                     const BbccOptions& options)
    : elements_(std::move(elements)), terrains_(std::move(terrains)), options_(options) {
  check_all(elements_, terrains_);
  pair_materials();
  place_elements();
  prepare_terrain_shapes();
  movers_may_touch_ = find_movers_that_may_touch();
}

int BbccScene::body_of(int element) const {
  return index(element) < elements_.size() ? elements_[index(element)].body
                                           : ContactElement::kFixed;
}

int BbccScene::group_of(int element) const {
  const std::size_t i = index(element);
  return i < elements_.size() ? elements_[i].group : terrains_[i - elements_.size()].group;
}

bool BbccScene::may_touch(int a, int b) const {
  if (body_of(a) == body_of(b)) return false;  // also two that are fixed
  const int group = group_of(a);
  return group == ContactElement::kNoGroup || group != group_of(b);
}

bool BbccScene::find_movers_that_may_touch() const {
  for (std::size_t m = 1; m < moving_.size(); ++m) {
    for (std::size_t k = 0; k < m; ++k) {
      if (may_touch(moving_[k], moving_[m])) return true;
    }
  }
  return false;
}

void BbccScene::pair_materials() {
  std::vector<Material> kinds;
  const auto kind_of = [&](const Material& material) {
    const auto number = std::ranges::find(kinds, material) - kinds.begin();
    if (number == std::ssize(kinds)) kinds.push_back(material);
    return static_cast<int>(number);
  };
  for (const ContactElement& element : elements_) material_of_.push_back(kind_of(element.material));
  for (const TerrainElement& terrain : terrains_) material_of_.push_back(kind_of(terrain.material));
  kinds_ = kinds.size();
  for (const Material& a : kinds) {
    for (const Material& b : kinds) pairs_.push_back(pair_of(options_.laws, a, b));
  }
}

void BbccScene::place_elements() {
  constexpr double kMore = 1 + 1e-12;  // than what rounding may add to a box
  double sizes = 0;
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const ContactElement& element = elements_[e];
    const bool is_fixed = element.body == ContactElement::kFixed;
    (is_fixed ? fixed_ : moving_).push_back(static_cast<int>(e));
    local_boxes_.push_back(local_bounds(element));
    if (!is_fixed) sizes += local_boxes_.back().size().maxCoeff();
    if (is_fixed) {
      Aabb box;
      for (const ContactPart& part : element.parts) {
        box.add(bounds(part.shape, element.X_BE * part.X_EC));
      }
      fixed_tree_.insert(box);
    }
    first_part_.push_back(static_cast<int>(parts_.size()));
    for (const ContactPart& part : element.parts) {
      const Aabb box = bounds(part.shape, Pose{});
      parts_.push_back({.element = static_cast<int>(e),
                        .radius = contact_radius(part.shape),
                        .centre = part.X_EC * box.centre(),
                        .reach = 0.5 * kMore * box.size().norm()});
    }
  }
  fixed_tree_.renew();
  first_part_.push_back(static_cast<int>(parts_.size()));
  constexpr double kMargin = 0.1;  // of the mean size: a body moves on for some steps within it
  if (!moving_.empty()) tree_margin_ = kMargin * sizes / static_cast<double>(moving_.size());
}

void BbccScene::prepare_terrain_shapes() {
  using Key = std::pair<const HullSolid*, std::size_t>;
  std::map<Key, std::shared_ptr<const SurfaceSamples>> known;  // for bodies that share a hull
  const auto none = std::make_shared<const SurfaceSamples>();
  for (const ContactElement& element : elements_) {
    const bool is_fixed = element.body == ContactElement::kFixed;
    for (const ContactPart& part : element.parts) {
      const auto* hull = std::get_if<std::shared_ptr<const HullSolid>>(&part.shape);
      for (std::size_t t = 0; t < terrains_.size(); ++t) {
        const ElevationMap& map = *terrains_[t].map;
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

}  // namespace grouser
