#pragma once

#include <map>
#include <string>
#include <vector>

#include "scene/place.h"

namespace grouser::internal {

/// What urdfdom forgets: the order and the lines of a URDF.
struct UrdfIndex {
  std::vector<std::string> links;  ///< in the order of the file
  std::map<std::string, int> link_lines;
  std::map<std::string, int> inertial_lines;  ///< by link
  std::map<std::string, int> joint_lines;
};

/// Checks the text of a URDF strictly: well-formed XML, every number and reference that urdfdom
/// would take as it comes, one root and one parent per link. Whatever is wrong becomes an issue.
/// Elements that other programs add to URDFs (gazebo, transmission, ...) are passed over.
UrdfIndex check_urdf(const std::string& text, const std::string& file, IssueList& issues);

}  // namespace grouser::internal
