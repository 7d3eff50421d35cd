#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace grouser::internal {

/// A folder of finished assets. A file that is there is complete and never made again: its name holds
/// the id, and the id holds all that it depends on. Any number of processes may share a folder.
class AssetCache {
 public:
  explicit AssetCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// $GROUSER_CACHE, else $XDG_CACHE_HOME/grouser, else ~/.cache/grouser. Throws Error(io) if none of the
  /// variables is set.
  static std::filesystem::path default_folder();

  const std::filesystem::path& folder() const { return folder_; }

  /// "<folder>/<kind>_<id>.obj"
  std::filesystem::path path_of(std::string_view kind, std::uint64_t id) const;

  /// The asset's file; made from the text that `make` gives if it is not there yet. Makes the folder.
  /// Throws Error(io) if that cannot be written, and what `make` throws.
  std::filesystem::path ensure(std::string_view kind, std::uint64_t id,
                               const std::function<std::string()>& make) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace grouser::internal
