#pragma once

#include <span>
#include <string_view>

namespace grouser::internal {

/// A file that is compiled into the library, so that the program runs without a data folder.
struct BuiltinFile {
  std::string_view
      kind;  ///< "rovers" (from data/rovers), "scenes" (from scenes) or "scene" (from src/scene)
  std::string_view name;  ///< file name without folder and extension
  std::string_view text;  ///< the whole file, unchanged
};

/// All built-in files, rovers first, each kind sorted by name. Implemented by a generated source.
std::span<const BuiltinFile> builtin_files();

}  // namespace grouser::internal
