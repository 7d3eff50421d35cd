#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scene/tree_data.h"
#include "scene/xacro.h"

namespace grouser::internal {

/// A robot as URDF describes it.
struct RobotFile {
  XmlElement root;
  std::vector<Issue> warnings;  ///< what a user should know, but need not mend
};

/// Reads the text of a URDF, or expands that of a xacro (by its ending or content) to one. `file` is the
/// name for messages; files it names are looked for from its folder on. Nothing (reported) if that fails.
std::optional<RobotFile> read_robot(const std::string& text, const std::string& file,
                                    const XacroArguments& arguments, PackageFinder& packages,
                                    IssueList& issues);

struct UrdfOptions {
  bool check_inertias = true;  ///< false: bodies that cannot exist are taken as they are
};

/// Makes a tree of a URDF. A root link called "world" is the inertial frame itself. Collision shapes are what
/// contacts know of a link, its visuals are only drawn; without collision shapes visuals are both. Mesh
/// files that are missing are a warning of the tree.
///
/// Not taken from a URDF: the velocity limit of joints (the effort limit becomes the default of an
/// actuator's), calibration, safety controllers, transmissions.
TreeData read_urdf(const XmlElement& robot, PackageFinder& packages, const UrdfOptions& options,
                   IssueList& issues);

/// read_robot() and read_urdf() in one.
TreeData read_urdf(const std::string& text, const std::string& file,
                   const std::filesystem::path& folder, IssueList& issues);

}  // namespace grouser::internal
