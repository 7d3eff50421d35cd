#include "scene/scene_values.h"

#include <fmt/format.h>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/text.h"
#include "scene/scene_reader.h"
#include "scene/world_builder.h"

namespace grouser::internal {
namespace {

YamlValue scalar(std::string text, bool quoted, Place place) {
  return {.kind = YamlValue::Kind::scalar,
          .text = std::move(text),
          .quoted = quoted,
          .place = std::move(place)};
}

class Conversion {
 public:
  Conversion(const std::string& label, IssueList& issues) : label_(label), issues_(issues) {}

  YamlValue convert(const Value& value, const std::string& field) {
    Place place{label_, 0, field};
    if (value.truth()) return scalar(*value.truth() ? "true" : "false", false, std::move(place));
    if (value.number()) return scalar(format_number(*value.number()), false, std::move(place));
    if (value.text()) return scalar(*value.text(), true, std::move(place));
    YamlValue converted;
    converted.place = std::move(place);
    if (value.list()) convert_list(*value.list(), converted);
    if (value.map()) convert_map(*value.map(), converted);
    return converted;
  }

 private:
  void convert_list(const List& list, YamlValue& converted) {
    converted.kind = YamlValue::Kind::list;
    for (std::size_t i = 0; i < list.size(); ++i) {
      converted.items.push_back(convert(list[i], fmt::format("{}[{}]", converted.place.field, i)));
    }
  }

  void convert_map(const Map& map, YamlValue& converted) {
    converted.kind = YamlValue::Kind::map;
    for (const auto& [key, value] : map) {
      const std::string& above = converted.place.field;
      std::string field = above.empty() ? key : above + '.' + key;
      if (std::ranges::find(converted.keys, key) != converted.keys.end()) {
        issues_.add(issue_at({label_, 0, std::move(field)}, "is given twice"));
        continue;
      }
      converted.keys.push_back(key);
      converted.items.push_back(convert(value, field));
    }
  }

  const std::string& label_;
  IssueList& issues_;
};

/// JSON's quotes and escapes are YAML's, too.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void write(const Value& value, int depth, std::string& text) {
  constexpr int kSpacesPerLevel = 2, kInlineDepth = 3;
  if (value.truth()) {
    text += *value.truth() ? "true" : "false";
  } else if (value.number()) {
    text += format_number(*value.number());
  } else if (value.text()) {
    text += quoted(*value.text());
  } else if (!value.list() && !value.map()) {
    text += "null";
  } else {
    const bool is_map = value.map() != nullptr;
    const std::size_t count = is_map ? value.map()->size() : value.list()->size();
    const bool breaks = depth < kInlineDepth && count > 0;
    const auto new_line = [&](int level) {
      if (breaks)
        text += '\n' + std::string(static_cast<std::size_t>(kSpacesPerLevel * level), ' ');
    };
    text += is_map ? '{' : '[';
    for (std::size_t i = 0; i < count; ++i) {
      new_line(depth + 1);
      if (is_map) text += quoted((*value.map())[i].first) + ": ";
      write(is_map ? (*value.map())[i].second : (*value.list())[i], depth + 1, text);
      if (i + 1 < count) text += breaks ? "," : ", ";
    }
    new_line(depth);
    text += is_map ? '}' : ']';
  }
}

/// With the version of the format, if that is not there.
Value with_version(const Value& scene) {
  if (!scene.map()) return scene;
  const auto is_version = [](const auto& entry) { return entry.first == "grouser"; };
  if (std::ranges::any_of(*scene.map(), is_version)) return scene;
  Map map = *scene.map();
  map.insert(map.begin(), {"grouser", 1});
  return map;
}

}  // namespace

YamlValue to_yaml_value(const Value& value, const std::string& label, IssueList& issues) {
  return Conversion(label, issues).convert(value, {});
}

std::string to_yaml_text(const Value& value) {
  std::string text;
  write(value, 0, text);
  return text + '\n';
}

World load_scene_values(const Value& scene, const std::string& label,
                        const std::filesystem::path& base_dir) {
  const Value complete = with_version(scene);
  IssueList issues;
  const YamlValue value = to_yaml_value(complete, label, issues);
  const SceneData data = read_scene(value, base_dir, issues);
  return build_world(data, {label, to_yaml_text(complete)}, issues);
}

}  // namespace grouser::internal
