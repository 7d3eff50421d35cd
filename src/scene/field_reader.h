#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "assets/fields.h"
#include "scene/yaml_reader.h"

namespace grouser::internal {

/// Fills the parameters of a generator from a YAML map; what the map leaves out keeps its value. Unknown
/// keys, wrong types and numbers out of range become issues, and so do keys that check_keys(struct, map), where there is
/// one, does not let go together. Files are looked for in `folder`.
class FieldReader {
 public:
  FieldReader(MapReader& map, std::filesystem::path folder)
      : map_(map), folder_(std::move(folder)) {}

  void operator()(const FieldInfo& field, bool& value);
  void operator()(const FieldInfo& field, int& value);
  void operator()(const FieldInfo& field, std::uint64_t& value);
  void operator()(const FieldInfo& field, double& value);
  void operator()(const FieldInfo& field, std::optional<double>& value);
  void operator()(const FieldInfo& field, Vec2& value);
  void operator()(const FieldInfo& field, Vec3& value);
  void operator()(const FieldInfo& field, std::string& value);
  void operator()(const FieldInfo& field, std::vector<Vec2>& value);

  template <class Enum, std::size_t N>
  void operator()(const FieldInfo& field, Enum& value, const std::array<const char*, N>& names) {
    std::array<std::pair<std::string_view, Enum>, N> choices;
    for (std::size_t i = 0; i < N; ++i) choices[i] = {names[i], static_cast<Enum>(i)};
    value = map_.choice<Enum>(field.name, choices).value_or(value);
  }

  template <HasFields<FieldReader> Struct>
  void operator()(const FieldInfo& field, Struct& value) {
    if (const YamlValue* found = map_.find(field.name)) read(*found, value);
  }

  template <HasFields<FieldReader> Struct>
  void operator()(const FieldInfo& field, std::optional<Struct>& value) {
    const YamlValue* found = map_.find(field.name);
    if (found == nullptr) return;
    if (!value) value.emplace();
    read(*found, *value);
  }

  template <HasFields<FieldReader> Struct>
  void operator()(const FieldInfo& field, std::vector<Struct>& values) {
    if (map_.find(field.name) == nullptr) return;
    values.clear();
    for (const YamlValue& item : map_.list(field.name)) read(item, values.emplace_back());
  }

 private:
  template <class Struct>
  void read(const YamlValue& value, Struct& into) {
    MapReader map(value, map_.issues());
    FieldReader reader(map, folder_);
    visit_fields(into, reader);
    if constexpr (requires { check_keys(into, map); }) check_keys(into, map);
    map.finish();
  }

  MapReader& map_;
  std::filesystem::path folder_;
};

/// Reads all parameters of a generator from a map, and checks those that must fit each other.
template <class Spec>
void read_spec(const YamlValue& value, const std::filesystem::path& folder, Spec& spec,
               IssueList& issues) {
  const std::size_t before = issues.issues().size();
  MapReader map(value, issues);
  FieldReader reader(map, folder);
  visit_fields(spec, reader);
  map.finish();
  if (issues.issues().size() > before) return;
  IssueList misfits;
  check_fit(spec, value.place.field, misfits);
  for (Issue issue : misfits.issues()) {
    std::string_view path = issue.field;
    if (path.starts_with(value.place.field)) path.remove_prefix(value.place.field.size());
    if (path.starts_with('.')) path.remove_prefix(1);
    const Place place = place_of(value, path);
    issue.file = place.file;
    issue.line = place.line;
    issues.add(std::move(issue));
  }
}

}  // namespace grouser::internal
