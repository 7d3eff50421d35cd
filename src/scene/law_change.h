#pragma once

#include <vector>

#include "multibody/joint.h"
#include "scene/yaml_reader.h"

/// The passive laws of a joint, as keys of a joint's map in a tree and as overrides in a scene.
namespace grouser::internal {

/// A number of DofLaw given in a file, for all degrees of freedom or for each.
struct LawChange {
  double DofLaw::*number = nullptr;
  std::vector<double> values;  ///< one, or one per degree of freedom [SI]
  bool in_degrees = false;     ///< was written in degrees
  Place place;
};

/// A number, or a list of numbers: one for each of up to six degrees of freedom.
std::vector<double> read_per_dof(const YamlValue& value, const Range& range, IssueList& issues);

/// Reads armature, stiffness, rest, damping, friction, friction_speed, lower, upper, stop_stiffness
/// and stop_damping.
std::vector<LawChange> read_law_changes(MapReader& map);

/// Applies the changes to the laws of a joint of this type, filling up `laws` to one per degree of
/// freedom. `joint` is where to report stops in the wrong order.
void apply_law_changes(const std::vector<LawChange>& changes, JointType type, const Place& joint,
                       std::vector<DofLaw>& laws, IssueList& issues);

/// True if coordinate k of a joint is an angle.
bool is_angle(JointType type, int k);

}  // namespace grouser::internal
