#include "scene/load_asset.h"

#include "scene/text_file.h"
#include "scene/tree_reader.h"
#include "scene/yaml_reader.h"

namespace grouser::internal {

YamlValue load_asset_file(const std::filesystem::path& file, std::string_view kind) {
  IssueList issues;
  const auto text = read_text_file(file, {}, issues);
  issues.throw_if_any();
  const YamlValue root = parse_yaml(*text, file.string(), issues);
  if (root.kind == YamlValue::Kind::null) issues.throw_if_any();
  MapReader map(root, issues);
  map.require("grouser");
  read_format_version(map);
  map.text("description");
  const YamlValue* found = map.require(kind);
  map.finish();
  issues.throw_if_any();
  return *found;
}

}  // namespace grouser::internal
