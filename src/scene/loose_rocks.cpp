#include "scene/loose_rocks.h"

#include <fmt/format.h>

#include <algorithm>

namespace grouser::internal {
namespace {

constexpr const char* kModelName = "rocks";
const Vec3 kRockColor(0.45, 0.36, 0.3);

std::string body_name(std::size_t index) { return fmt::format("rock{}", index); }

}  // namespace

ModelData loose_rocks_model(const RockField& loose, const Place& place) {
  ModelData model{.name = {kModelName, place}};
  for (std::size_t r = 0; r < loose.rocks.size(); ++r) {
    const PlacedRock& rock = loose.rocks[r];
    BodyData body{.name = {body_name(r), place}};
    body.inertia.mass = rock.mass;
    body.inertia.about_com = rock.inertia;
    body.visuals.push_back(
        {.shape = MadeShape{std::make_shared<const TriMesh>(rock_mesh(loose, rock))},
         .color = kRockColor});
    body.joint =
        JointData{.parent = {kWorldName, place}, .type = JointType::free, .X_PF = rock.pose};
    model.tree.bodies.push_back(std::move(body));
  }
  return model;
}

std::vector<PlacedName> loose_rock_names(const SceneData& scene, const Place& place) {
  std::vector<PlacedName> names;
  if (scene.ground == nullptr) return names;
  for (std::size_t r = 0; r < scene.ground->loose_rocks.rocks.size(); ++r) {
    names.push_back({fmt::format("{}/{}", kModelName, body_name(r)), place});
  }
  return names;
}

void check_loose_rocks(const SceneData& scene, IssueList& issues) {
  if (scene.ground == nullptr || scene.ground->loose_rocks.rocks.empty()) return;
  const std::string first = loose_rock_names(scene, {}).front().text;
  const bool are_named = std::ranges::any_of(
      scene.contacts.models(), [&first](const auto& model) { return model->names_body(first); });
  if (!are_named) {
    issues.add(issue_at(scene.models.back().name.place,
                        "loose rocks would fall through the ground: 'contacts' does not name them, "
                        "as by {model: ..., rocks: true}"));
  }
}

void warn_of_rocks(const Place& place, SceneData& scene) {
  if (scene.ground == nullptr) return;
  const Rect domain = scene.ground->map.domain();
  const double side = (domain.upper - domain.lower).minCoeff();
  std::size_t count = 0, outside = 0;
  double largest = 0;
  for (const RockField* field : {&scene.ground->rocks, &scene.ground->loose_rocks}) {
    for (const PlacedRock& rock : field->rocks) {
      ++count;
      largest = std::max(largest, rock.diameter);
      if (!domain.contains(rock.pose.p.head<2>())) ++outside;
    }
  }
  if (count == 0) {
    scene.warnings.push_back(issue_at(place,
                                      "the field has no rock: none of its sizes has room or "
                                      "is to be expected on its area"));
  }
  if (outside > 0) {
    scene.warnings.push_back(
        issue_at(place, fmt::format("{} of {} rocks lie beside the terrain", outside, count)));
  }
  if (largest > side / 2) {
    scene.warnings.push_back(issue_at(
        place,
        fmt::format("the largest rock, {:.2g} m, does not suit a terrain that is {:g} m wide",
                    largest, side)));
  }
  const bool are_named = std::ranges::any_of(
      scene.contacts.models(), [](const auto& model) { return model->names_rocks(); });
  if (scene.ground->rocks.rocks.empty() || are_named) return;
  scene.warnings.push_back(
      issue_at(place,
               "nothing touches the fixed rocks, wheels drive through them: 'contacts' does "
               "not name them, as by {model: bbcc, rocks: true}"));
}

}  // namespace grouser::internal
