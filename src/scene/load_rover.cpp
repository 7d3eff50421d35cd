#include "scene/load_rover.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>

#include "scene/builtin.h"
#include "scene/scene_reader.h"
#include "scene/scene_values.h"
#include "scene/text_file.h"
#include "scene/world_builder.h"
#include "scene/yaml_reader.h"

namespace grouser::internal {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRoverName = "rover";

bool is_yaml(const fs::path& path) {
  return path.extension() == ".yaml" || path.extension() == ".yml";
}

/// A rover as `models:` of a scene takes it: by one key.
World load_tree(const char* key, const std::string& source) {
  const Map model{{"name", kRoverName}, {key, source}};
  return load_scene_values(Map{{"name", kRoverName}, {"models", List{model}}}, source, {});
}

/// "scene.yaml#rover2" in two.
struct RoverReference {
  std::string file, rover;
};

RoverReference split(const std::string& text) {
  const std::size_t hash = text.rfind('#');
  if (hash == std::string::npos) return {text, {}};
  return {text.substr(0, hash), text.substr(hash + 1)};
}

/// The models of a scene that have wheels, or the one of a name; reports if there is none.
std::vector<ModelData> rovers_in(const SceneData& scene, const RoverReference& wanted,
                                 IssueList& issues) {
  std::vector<ModelData> rovers;
  std::vector<std::string> names;
  for (const ModelData& model : scene.models) {
    if (model.tree.rover.wheels.empty()) continue;
    names.push_back(model.name.text);
    if (wanted.rover.empty() || wanted.rover == model.name.text) rovers.push_back(model);
  }
  const Place place{.file = wanted.file, .line = 0, .field = "models"};
  if (names.empty()) {
    issues.add(issue_at(place, "the scene has no rover: no model names 'wheels'"));
  } else if (rovers.empty()) {
    add_unknown_word(place, wanted.rover, "there is no such rover",
                     std::vector<std::string_view>(names.begin(), names.end()), issues);
  } else if (rovers.size() > 1) {
    issues.add(issue_at(place, "the scene has several rovers: say which", wanted.file,
                        fmt::format("{}#{}", wanted.file, fmt::join(names, ", #"))));
  }
  return rovers;
}

/// Names of a rover's bodies and joints, as a scene may refer to them.
class RoverNames {
 public:
  explicit RoverNames(const ModelData& rover) {
    for (const BodyData& body : rover.tree.bodies) {
      add(rover.name.text, body.name.text);
      if (body.joint) add(rover.name.text, body.joint->name.text);
    }
  }
  bool has(const PlacedName& name) const {
    return name.text == kWorldName || names_.contains(name.text);
  }
  bool has_all(const LoopData& loop) const {
    if (const auto* coupling = std::get_if<CouplingData>(&loop.law)) {
      return std::ranges::all_of(
          coupling->terms, [this](const CouplingData::Term& term) { return has(term.joint); });
    }
    if (const auto* ball = std::get_if<BallData>(&loop.law)) return has_all(*ball);
    if (const auto* hinge = std::get_if<HingeData>(&loop.law)) return has_all(*hinge);
    return has_all(std::get<DistanceData>(loop.law));
  }
  template <class Pair>
  bool has_all(const Pair& pair) const {
    return has(pair.a.body) && has(pair.b.body);
  }

 private:
  void add(const std::string& model, const std::string& name) {
    names_.insert(name);
    names_.insert(model + "/" + name);
  }
  std::set<std::string> names_;
};

/// Those of a scene's own elements that act within the rover.
ElementsData elements_of(const ElementsData& all, const ModelData& rover) {
  const RoverNames names(rover);
  ElementsData own;
  std::ranges::copy_if(all.loops, std::back_inserter(own.loops),
                       [&](const auto& loop) { return names.has_all(loop); });
  std::ranges::copy_if(all.actuators, std::back_inserter(own.actuators),
                       [&](const auto& actuator) { return names.has(actuator.joint); });
  std::ranges::copy_if(all.springs, std::back_inserter(own.springs),
                       [&](const auto& spring) { return names.has_all(spring); });
  std::ranges::copy_if(all.tethers, std::back_inserter(own.tethers),
                       [&](const auto& tether) { return names.has_all(tether); });
  return own;
}

World load_from_scene(const YamlValue& value, const std::string& text, const RoverReference& wanted,
                      IssueList& issues) {
  SceneData scene = read_scene(value, fs::path(wanted.file).parent_path(), issues);
  issues.throw_if_any();
  SceneData alone;
  alone.name = scene.name;
  alone.models = rovers_in(scene, wanted, issues);
  issues.throw_if_any();
  ModelData& rover = alone.models.front();
  rover.X_WT = {};
  rover.stand.reset();
  rover.on_ground.reset();
  rover.velocity.reset();
  rover.angular_velocity.reset();
  for (JointStart& joint : rover.joints) joint.velocity.clear();
  alone.elements = elements_of(scene.elements, rover);
  return build_world(alone, {wanted.file, text}, issues);
}

}  // namespace

bool names_rover_file(const std::string& name_or_file) {
  const fs::path path(split(name_or_file).file);
  std::error_code ignored;
  return path.has_extension() || name_or_file.find('/') != std::string::npos ||
         (!find_builtin("rovers", name_or_file) && fs::is_regular_file(path, ignored));
}

World load_rover(const std::string& name_or_file) {
  if (!names_rover_file(name_or_file)) return load_tree("rover", name_or_file);
  const RoverReference wanted = split(name_or_file);
  if (!is_yaml(wanted.file)) return load_tree("urdf", wanted.file);
  IssueList issues;
  const auto text = read_text_file(wanted.file, {}, issues);
  issues.throw_if_any();
  const YamlValue value = parse_yaml(*text, wanted.file, issues);
  if (value.kind == YamlValue::Kind::null) issues.throw_if_any();
  if (value.find("models") == nullptr) return load_tree("file", wanted.file);
  return load_from_scene(value, *text, wanted, issues);
}

}  // namespace grouser::internal
