#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace grouser::internal {

/// Finds the packages of ROS that a robot's files name, without ROS: in AMENT_PREFIX_PATH
/// (PREFIX/share/NAME), in ROS_PACKAGE_PATH, and around the robot's file: in the folders above it and in
/// their children, by the name in package.xml or else by that of the folder.
class PackageFinder {
 public:
  /// `folder`: of the robot's file.
  explicit PackageFinder(std::filesystem::path folder);

  /// The folder of a package; nothing if there is none.
  std::optional<std::filesystem::path> find(const std::string& name);

  /// The file that a mesh name stands for: "package://NAME/PATH", "model://NAME/PATH", "file:///PATH", or
  /// a path, from `folder` on or the folders above it; empty if there is none.
  std::string find_file(const std::string& name);

  /// Where packages are looked for, to be told when one is missing.
  std::string searched() const;

  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::optional<std::filesystem::path> look_for(const std::string& name) const;

  std::filesystem::path folder_;                   ///< absolute
  std::vector<std::filesystem::path> ament_;       ///< PREFIX/share
  std::vector<std::filesystem::path> ros_;         ///< of ROS_PACKAGE_PATH
  std::vector<std::filesystem::path> neighbours_;  ///< folders above
  std::map<std::string, std::optional<std::filesystem::path>> known_;
};

}  // namespace grouser::internal
