#pragma once

#include <string>
#include <vector>

#include "scene/tree_survey.h"
#include "scene/xml_element.h"

namespace grouser::internal {

/// Mass properties of a link that no body has, or that betray a placeholder, and those proposed instead.
struct InertiaFinding {
  std::string link;
  Place place;
  std::string problem;    ///< a sentence without a full stop
  std::string value;      ///< what was found
  std::string change;     ///< what the proposal is, and why that
  RigidInertia proposal;  ///< in the link's frame
  bool is_fatal = true;   ///< false: possible, but most likely not meant
};

/// Looks through the links of a URDF that was read without checking its inertias.
std::vector<InertiaFinding> find_inertia_defects(const TreeData& tree, const TreeSurvey& survey);

/// Writes the proposal into the robot.
void apply_inertia(const InertiaFinding& finding, XmlElement& robot);

/// The nearest inertia that a body can have: of the second moments of mass along the principal axes,
/// which the moments are pairwise sums of, those that are not positive become a thousandth of the largest.
/// Largest moments change least. `inertia.mass` > 0, finite numbers.
RigidInertia balanced(const RigidInertia& inertia);

}  // namespace grouser::internal
