#include "assets/asset_cache.h"

#include <cstdlib>
#include <system_error>

#include <fmt/format.h>

#include "core/disk.h"
#include "core/error.h"
#include "core/hash.h"

namespace grouser::internal {
namespace {

/// Nothing if the variable is not set or empty, which counts as not set.
const char* variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

}  // namespace

std::filesystem::path AssetCache::default_folder() {
  if (const char* own = variable("GROUSER_CACHE")) return own;
  if (const char* cache = variable("XDG_CACHE_HOME"))
    return std::filesystem::path(cache) / "grouser";
  if (const char* home = variable("HOME"))
    return std::filesystem::path(home) / ".cache" / "grouser";
  throw Error(ErrorKind::io, {.message = "no folder for assets is known; set GROUSER_CACHE"});
}

std::filesystem::path AssetCache::path_of(std::string_view kind, std::uint64_t id) const {
  return folder_ / fmt::format("{}_{}.obj", kind, hash_text(id));
}

std::filesystem::path AssetCache::ensure(std::string_view kind, std::uint64_t id,
                                         const std::function<std::string()>& make) const {
  const std::filesystem::path path = path_of(kind, id);
  std::error_code error;
  if (std::filesystem::exists(path, error)) return path;
  std::filesystem::create_directories(folder_, error);
  if (error) {
    throw Error(ErrorKind::io, {.message = "cannot make the folder: " + error.message(),
                                .file = folder_.string()});
  }
  // Another process may do the same meanwhile: it writes the same bytes.
  const std::string text = make();
  AtomicFile file(path);
  file.write(text);
  file.commit();
  return path;
}

}  // namespace grouser::internal
