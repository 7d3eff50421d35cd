#include "scene/load_scene.h"

#include <fmt/format.h>

#include <vector>

#include "scene/builtin.h"
#include "scene/scene_reader.h"
#include "scene/text_file.h"
#include "scene/world_builder.h"
#include "scene/yaml_reader.h"

namespace grouser::internal {

World load_scene(const std::filesystem::path& file) {
  IssueList issues;
  const auto text = read_text_file(file, {}, issues);
  issues.throw_if_any();
  return load_scene_text(*text, file.string(), file.parent_path());
}

World load_builtin_scene(std::string_view name) {
  const auto text = find_builtin("scenes", name);
  if (text) return load_scene_text(*text, fmt::format("builtin:{}", name), {});
  IssueList issues;
  std::vector<std::string> names;
  for (const BuiltinEntry& entry : builtin_scenes()) names.push_back(entry.name);
  const std::vector<std::string_view> views(names.begin(), names.end());
  add_unknown_word({}, name, "unknown built-in scene", views, issues);
  throw Error(ErrorKind::input, issues.issues());
}

World load_scene_text(const std::string& text, const std::string& file_label,
                      const std::filesystem::path& base_dir) {
  IssueList issues;
  if (text.size() > kMaxTextFileBytes) {
    issues.add(issue_at({file_label, 0, {}},
                        fmt::format("is larger than {} MB", kMaxTextFileBytes >> 20)));
    issues.throw_if_any();
  }
  const YamlValue value = parse_yaml(text, file_label, issues);
  if (value.kind == YamlValue::Kind::null) issues.throw_if_any();
  const SceneData scene = read_scene(value, base_dir, issues);
  return build_world(scene, {file_label, text}, issues);
}

}  // namespace grouser::internal
