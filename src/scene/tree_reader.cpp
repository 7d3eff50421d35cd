#include "scene/tree_reader.h"

#include <fmt/format.h>

#include "scene/body_reader.h"
#include "scene/element_reader.h"

namespace grouser::internal {

void read_format_version(MapReader& map) {
  constexpr double kVersion = 1;
  constexpr Range kVersions{1, 1e6, false, "version"};
  if (map.integer("grouser", kVersions, kVersion) != kVersion) {
    map.refuse("grouser", "this program reads version 1 of the format");
  }
}

TreeData read_tree(const YamlValue& value, const std::filesystem::path& folder, IssueList& issues) {
  MapReader map(value, issues);
  TreeData tree;
  read_format_version(map);
  map.name("name");
  tree.description = map.text("description").value_or("");
  map.require("bodies");
  for (const YamlValue& item : map.list("bodies")) {
    tree.bodies.push_back(read_body(item, folder, issues));
  }
  if (const YamlValue* bodies = map.find("bodies");
      bodies != nullptr && bodies->kind == YamlValue::Kind::list && bodies->items.empty()) {
    issues.add(issue_at(bodies->place, "must hold at least one body"));
  }
  tree.elements = read_elements(map);
  tree.rover = read_rover(map);
  map.finish();
  return tree;
}

}  // namespace grouser::internal
