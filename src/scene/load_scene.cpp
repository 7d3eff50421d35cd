#include "scene/load_scene.h"

#include <fmt/format.h>

#include <vector>

#include "scene/builtin.h"
#include "scene/contact_reader.h"
#include "scene/ground_reader.h"
#include "scene/scene_reader.h"
#include "scene/text_file.h"
#include "scene/world_builder.h"
#include "scene/yaml_reader.h"

namespace grouser::internal {

namespace {

SceneData read_scene_text(const std::string& text, const std::string& file_label,
                          const std::filesystem::path& base_dir, IssueList& issues) {
  if (text.size() > kMaxTextFileBytes) {
    issues.add(issue_at({file_label, 0, {}},
                        fmt::format("is larger than {} MB", kMaxTextFileBytes >> 20)));
    issues.throw_if_any();
  }
  const YamlValue value = parse_yaml(text, file_label, issues);
  if (value.kind == YamlValue::Kind::null) issues.throw_if_any();
  return read_scene(value, base_dir, issues);
}

std::string builtin_text(std::string_view name) {
  const auto text = find_builtin("scenes", name);
  if (text) return *text;
  IssueList issues;
  std::vector<std::string> names;
  for (const BuiltinEntry& entry : builtin_scenes()) names.push_back(entry.name);
  const std::vector<std::string_view> views(names.begin(), names.end());
  add_unknown_word({}, name, "unknown built-in scene", views, issues);
  throw Error(ErrorKind::input, issues.issues());
}

std::string builtin_label(std::string_view name) { return fmt::format("builtin:{}", name); }

std::shared_ptr<const Ground> read_ground_alone(const std::string& text, const std::string& label,
                                                const std::filesystem::path& folder) {
  IssueList issues;
  const YamlValue value = parse_yaml(text, label, issues);
  const YamlValue* terrain = value.find("terrain");
  if (terrain == nullptr) issues.throw_if_any();
  if (terrain == nullptr) return nullptr;
  IssueList of_ground;
  auto ground =
      read_ground(*terrain, folder, options_keys(SceneContactList(), "terrain"), of_ground);
  of_ground.throw_if_any();
  return ground;
}

}  // namespace

World load_scene(const std::filesystem::path& file) {
  IssueList issues;
  const auto text = read_text_file(file, {}, issues);
  issues.throw_if_any();
  return load_scene_text(*text, file.string(), file.parent_path());
}

World load_builtin_scene(std::string_view name) {
  return load_scene_text(builtin_text(name), builtin_label(name), {});
}

std::shared_ptr<const Ground> load_scene_ground(const std::filesystem::path& file) {
  IssueList issues;
  const auto text = read_text_file(file, {}, issues);
  issues.throw_if_any();
  return read_ground_alone(*text, file.string(), file.parent_path());
}

std::shared_ptr<const Ground> load_builtin_ground(std::string_view name) {
  return read_ground_alone(builtin_text(name), builtin_label(name), {});
}

World load_scene_text(const std::string& text, const std::string& file_label,
                      const std::filesystem::path& base_dir) {
  IssueList issues;
  const SceneData scene = read_scene_text(text, file_label, base_dir, issues);
  return build_world(scene, {file_label, text}, issues);
}

World with_finer_ground(const World& world, double factor) {
  IssueList issues;
  const std::filesystem::path folder = std::filesystem::path(world.scene_file).parent_path();
  SceneData scene = read_scene_text(world.scene_text, world.scene_file, folder, issues);
  if (scene.ground != nullptr) {
    Ground finer = *scene.ground;
    const std::shared_ptr<const HeightField> base(scene.ground, &scene.ground->map.base());
    finer.map = ElevationMap(base, {.spacing = finer.map.grid().spacing / factor});
    scene.ground = std::make_shared<const Ground>(std::move(finer));
  }
  World result = build_world(scene, {world.scene_file, world.scene_text}, issues);
  result.settings = world.settings;
  return result;
}

}  // namespace grouser::internal
