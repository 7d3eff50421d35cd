#pragma once

#include <map>
#include <string>
#include <vector>

#include "scene/xml_element.h"

namespace grouser::internal {

/// What urdfdom forgets: the order and the places of a URDF.
struct UrdfIndex {
  std::vector<std::string> links;  ///< in the order of the file
  std::map<std::string, Place> link_places;
  std::map<std::string, Place> inertial_places;  ///< by link
  std::map<std::string, Place> joint_places;
};

/// Checks a URDF strictly: every number and reference that urdfdom
/// would take as it comes, one root and one parent per link. Whatever is wrong becomes an issue.
/// Elements that other programs add to URDFs (gazebo, transmission, ...) are passed over.
UrdfIndex check_urdf(const XmlElement& root, IssueList& issues);

}  // namespace grouser::internal
