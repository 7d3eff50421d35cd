#include "named_scene.h"

#include <filesystem>

#include "scene/load_scene.h"

namespace grouser::internal {
namespace {

constexpr std::string_view kBuiltinPrefix = "builtin:";

}  // namespace

bool names_file(const std::string& name) {
  if (name.starts_with(kBuiltinPrefix)) return false;
  const std::filesystem::path path(name);
  return path.extension() == ".yaml" || path.extension() == ".yml" ||
         name.find('/') != std::string::npos || std::filesystem::exists(path);
}

std::string builtin_name(const std::string& name) {
  return name.starts_with(kBuiltinPrefix) ? name.substr(kBuiltinPrefix.size()) : name;
}

World load_named_scene(const std::string& name) {
  return names_file(name) ? load_scene(name) : load_builtin_scene(builtin_name(name));
}

}  // namespace grouser::internal
