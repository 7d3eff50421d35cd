#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace grouser::internal {

/// A built-in rover or scene, for listings.
struct BuiltinEntry {
  std::string name;
  std::string description;  ///< one line
};

std::vector<BuiltinEntry> builtin_rovers();
std::vector<BuiltinEntry> builtin_scenes();

/// The text of a built-in file; nothing if there is none of that name. `kind` is "rovers" or
/// "scenes".
std::optional<std::string> find_builtin(std::string_view kind, std::string_view name);

}  // namespace grouser::internal
