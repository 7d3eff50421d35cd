#include "contact/bbcc/bbcc_scene.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace grouser::internal {
namespace {

/// Findings of all of them at once.
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

/// What is left of them for finding where they touch.
template <class To, class From>
std::vector<To> colliders_of(const std::vector<From>& list) {
  std::vector<To> colliders;
  colliders.reserve(list.size());
  for (const From& each : list) colliders.push_back(collider_of(each));
  return colliders;
}

/// After all were checked.
CollisionScene checked_scene(const std::vector<ContactElement>& elements,
                             const std::vector<TerrainElement>& terrains) {
  check_all(elements, terrains);
  return CollisionScene(colliders_of<Collider>(elements), colliders_of<GroundCollider>(terrains));
}

}  // namespace

BbccScene::BbccScene(std::vector<ContactElement> elements, std::vector<TerrainElement> terrains,
                     const BbccOptions& options)
    : CollisionScene(checked_scene(elements, terrains)),
      elements_(std::move(elements)),
      terrains_(std::move(terrains)),
      options_(options) {
  pair_materials();
  for (const ContactElement& element : elements_) {
    for (const ContactPart& part : element.parts) radii_.push_back(contact_radius(part.shape));
  }
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

}  // namespace grouser::internal
