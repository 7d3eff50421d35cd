#include "scene/builtin.h"

#include <cassert>

#include "scene/builtin_files.h"
#include "scene/yaml_value.h"

namespace grouser::internal {
namespace {

std::vector<BuiltinEntry> entries(std::string_view kind) {
  std::vector<BuiltinEntry> result;
  for (const BuiltinFile& file : builtin_files()) {
    if (file.kind != kind) continue;
    IssueList issues;
    const YamlValue value = parse_yaml(std::string(file.text), std::string(file.name), issues);
    assert(issues.empty() && "built-in files are correct");
    const YamlValue* description = value.find("description");
    result.push_back(
        {std::string(file.name), description != nullptr ? description->text : std::string()});
  }
  return result;
}

}  // namespace

std::vector<BuiltinEntry> builtin_rovers() { return entries("rovers"); }

std::vector<BuiltinEntry> builtin_scenes() { return entries("scenes"); }

std::optional<std::string> find_builtin(std::string_view kind, std::string_view name) {
  for (const BuiltinFile& file : builtin_files()) {
    if (file.kind == kind && file.name == name) return std::string(file.text);
  }
  return std::nullopt;
}

}  // namespace grouser::internal
