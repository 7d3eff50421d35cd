#include "view/live_scene.h"

#include <algorithm>

#include "core/error.h"
#include "grouser/error.h"
#include "record/visuals_json.h"
#include "view/scene_parts.h"

namespace grouser::internal {
namespace {

using Json = nlohmann::ordered_json;
constexpr int kMostGroundNodes = 1000;  // along the longer side, as in run files

std::vector<std::string> texts_of(const RunLayout& layout, const std::string& path) {
  const auto found = std::ranges::find(layout.lists, path, &TextList::path);
  return found == layout.lists.end() ? std::vector<std::string>() : found->texts;
}

/// Labels and units of a series' columns, as RunReader::columns() has them.
Json series_json(const RecordedSeries& series, const RunLayout& layout) {
  std::vector<std::string> names = texts_of(layout, series.names_path);
  const std::vector<std::string> units = texts_of(layout, series.units_path);
  std::vector<std::string> components = series.components;
  if (names.empty() && components.empty())
    components.push_back(series.path.substr(series.path.rfind('/') + 1));
  if (names.empty()) names.emplace_back();
  if (components.empty()) components.emplace_back();
  Json labels = Json::array(), shown_units = Json::array();
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (const std::string& component : components) {
      const char* point = names[i].empty() || component.empty() ? "" : ".";
      labels.push_back(names[i] + point + component);
      shown_units.push_back(units.empty() ? series.unit : units[i]);
    }
  }
  return {{"path", series.path}, {"labels", labels}, {"units", shown_units}};
}

Json scene_json(const World& world) {
  const Vec3 g = world.model.gravity();
  return {{"name", world.name},
          {"file", world.scene_file},
          {"text", world.scene_text},
          {"integrator", to_string(world.settings.integrator.method)},
          {"step", world.settings.integrator.step},
          {"record_rate_hz", world.settings.record_rate_hz},
          {"seed", world.settings.seed},
          {"gravity", {g.x(), g.y(), g.z()}},
          {"version", ::grouser::version()}};
}

Json describe(const World& world, const RunLayout& layout, const Looks& looks, bool is_drivable) {
  Json json = {{"mode", "live"},
               {"scene", scene_json(world)},
               {"rows", 0},
               {"complete", false},
               {"bodies", texts_of(layout, "/bodies/names")},
               {"wheels", Json::array()},
               {"events", Json::array()},
               {"looks", looks.list},
               {"warnings", looks.warnings},
               {"series", Json::array()},
               {"ground", world.ground != nullptr},
               {"soil", nullptr},
               {"summary", nullptr},
               {"drivable", is_drivable},
               {"duration", world.settings.duration}};
  const std::vector<std::string> wheels = texts_of(layout, "/wheels/names");
  std::size_t next = 0;
  for (const Rover& rover : world.rovers) {
    for (const Wheel& wheel : rover.wheels) {
      json["wheels"].push_back(
          {{"name", next < wheels.size() ? wheels[next] : wheel.name}, {"body", wheel.body}});
      ++next;
    }
  }
  for (const RecordedSeries& series : layout.series)
    json["series"].push_back(series_json(series, layout));
  const bool changes = std::ranges::any_of(
      world.contacts, [](const auto& system) { return system->shapes_ground(); });
  if (world.ground && changes) json["soil"] = soil_grid_json(world.ground->map.grid());
  return json;
}

}  // namespace

LiveScene::LiveScene(const World& world, const RunLayout& layout, bool is_drivable)
    : world_(world) {
  const Looks looks = looks_of(nlohmann::json(visuals_json(world)), world.model.bodies().size());
  description_ = describe(world, layout, looks, is_drivable)
                     .dump(-1, ' ', false, Json::error_handler_t::replace);
  meshes_ = encode_meshes(looks.meshes);
}

Reply LiveScene::answer(const Target& target) const {
  if (target.path == "/api/run") return {.type = "application/json", .body = description_};
  if (target.path == "/api/meshes") return {.body = meshes_};
  if (world_.ground && target.path == "/api/ground") {
    const GridSpec grid = overview_grid(world_.ground->map, kMostGroundNodes);
    std::vector<double> heights(grid.size());
    world_.ground->map.base().heights(grid, heights);
    return {.body = encode_ground(grid, heights)};
  }
  if (world_.ground && target.path == "/api/rocks") {
    return {.body = encode_meshes({merged_mesh(world_.ground->rocks)})};
  }
  throw Error(ErrorKind::usage, {.message = "there is no such thing", .value = target.path});
}

}  // namespace grouser::internal
