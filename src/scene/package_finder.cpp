#include "scene/package_finder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <system_error>

namespace grouser::internal {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxAbove = 12;         // folders above the robot's file
constexpr int kMaxChildren = 1000;    // looked at in a folder
constexpr int kPackagePathDepth = 3;  // below a folder of ROS_PACKAGE_PATH

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool is_plain_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

std::vector<fs::path> paths_of(const char* variable) {
  std::vector<fs::path> paths;
  const char* value = std::getenv(variable);
  if (value == nullptr) return paths;
  std::string rest(value);
  while (!rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    if (colon > 0) paths.emplace_back(rest.substr(0, colon));
    rest.erase(0, colon + 1);
  }
  return paths;
}

/// The name that a folder's package.xml gives it; empty without such a file.
std::string package_name(const fs::path& folder) {
  std::ifstream stream(folder / "package.xml", std::ios::binary);
  if (!stream) return {};
  std::string text(64 << 10, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  const std::size_t begin = text.find("<name>");
  const std::size_t end = text.find("</name>");
  if (begin == std::string::npos || end == std::string::npos || end < begin + 6) return {};
  std::string name = text.substr(begin + 6, end - begin - 6);
  std::erase_if(name, [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; });
  return name;
}

/// The children of a folder, by name, so that the answer does not depend on the disk.
std::vector<fs::path> children_of(const fs::path& folder) {
  std::vector<fs::path> children;
  std::error_code error;
  int looked_at = 0;
  for (fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
       !error && at != end && looked_at < kMaxChildren; at.increment(error), ++looked_at) {
    if (is_folder(at->path())) children.push_back(at->path());
  }
  std::ranges::sort(children);
  return children;
}

/// The package itself or one some levels below, by its package.xml or else by the folder's name.
std::optional<fs::path> package_within(const fs::path& folder, const std::string& name, int depth) {
  const std::string own = package_name(folder);
  if (own == name || (own.empty() && folder.filename() == name)) return folder;
  if (depth == 0 || !own.empty()) return std::nullopt;
  for (const fs::path& child : children_of(folder)) {
    if (auto found = package_within(child, name, depth - 1)) return found;
  }
  return std::nullopt;
}

/// A name of a package is one folder, not a way to others.
bool is_package_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
}

}  // namespace

PackageFinder::PackageFinder(fs::path folder) {
  std::error_code ignored;
  folder_ = fs::absolute(folder.empty() ? fs::path(".") : folder, ignored).lexically_normal();
  if (!folder_.has_filename()) folder_ = folder_.parent_path();
  for (const fs::path& prefix : paths_of("AMENT_PREFIX_PATH")) ament_.push_back(prefix / "share");
  ros_ = paths_of("ROS_PACKAGE_PATH");
  for (fs::path above = folder_; static_cast<int>(neighbours_.size()) < kMaxAbove;
       above = above.parent_path()) {
    neighbours_.push_back(above);
    if (above == above.parent_path()) break;
  }
}

std::optional<fs::path> PackageFinder::find(const std::string& name) {
  const auto known = known_.find(name);
  if (known != known_.end()) return known->second;
  return known_[name] = is_package_name(name) ? look_for(name) : std::nullopt;
}

std::optional<fs::path> PackageFinder::look_for(const std::string& name) const {
  for (const fs::path& above : neighbours_) {
    if (package_name(above) == name) return above;
  }
  for (const fs::path& share : ament_) {
    if (is_folder(share / name)) return share / name;
  }
  for (const fs::path& root : ros_) {
    if (auto found = package_within(root, name, kPackagePathDepth)) return found;
  }
  for (const fs::path& above : neighbours_) {
    const std::string own = package_name(above);
    if (own.empty() && above.filename() == name) return above;
    if (is_folder(above / name)) return above / name;
    for (const fs::path& child : children_of(above)) {
      if (package_name(child) == name) return child;
    }
  }
  return std::nullopt;
}

std::string PackageFinder::find_file(const std::string& name) {
  if (name.empty()) return {};
  if (name.starts_with("file://")) {
    const std::string path = name.substr(7);
    return is_plain_file(path) ? path : std::string();
  }
  std::vector<std::string> tails{name};
  for (const std::string scheme : {"package://", "model://"}) {
    if (!name.starts_with(scheme)) continue;
    const std::string path = name.substr(scheme.size());
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::string inside = path.substr(std::min(slash + 1, path.size()));
    if (const auto package = find(path.substr(0, slash));
        package && !inside.empty() && is_plain_file(*package / inside)) {
      return (*package / inside).string();
    }
    // The package's folder may have been renamed, so that only the path within it counts.
    tails = {path, inside};
  }
  for (const fs::path& above : neighbours_) {
    for (const std::string& tail : tails) {
      if (!tail.empty() && is_plain_file(above / tail)) return (above / tail).string();
    }
  }
  return {};
}

std::string PackageFinder::searched() const {
  std::vector<std::string> places;
  for (const fs::path& share : ament_) places.push_back(share.string());
  for (const fs::path& root : ros_) places.push_back(root.string());
  for (const fs::path& above : neighbours_) {
    if (above.has_relative_path()) places.push_back(above.string());
  }
  return fmt::format("{}{}", fmt::join(places, ", "),
                     ament_.empty() && ros_.empty()
                         ? "; neither AMENT_PREFIX_PATH nor ROS_PACKAGE_PATH is set"
                         : "");
}

}  // namespace grouser::internal
