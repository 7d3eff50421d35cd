#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scene/tree_survey.h"

namespace grouser::internal {

/// A wheel that was recognised.
struct FoundWheel {
  int body = 0;             ///< that its drive carries
  int steer = -1;           ///< body whose joint steers it, or -1
  Vec3 p_B = Vec3::Zero();  ///< its centre in the body, on the axle [m]
  double radius = 0;        ///< [m]
  double width = 0;         ///< [m]
  bool driven = true;       ///< by a motor; else it only rolls
};

/// What is beneath a chassis that can swing: the joints of the left and right side, which a differential ties.
struct FoundDifferential {
  int left = 0, right = 0;  ///< bodies of the joints
  double factor = 1;        ///< left + factor · right = 0
};

/// A part that slides on the ground as wheels roll: a caster that is only a ball.
struct FoundSupport {
  int body = 0;
  VisualData shape;  ///< in the body
};

/// What the parts of a tree are for, as far as that shows. Indices are those of the survey.
struct FoundRover {
  int chassis = 0;         ///< the body whose axes count
  double chassis_yaw = 0;  ///< by which they are to be turned about z to point forward [rad]
  std::vector<FoundWheel> wheels;
  std::vector<FoundSupport> supports;  ///< looked for if there are three wheels or fewer
  std::vector<int> passive;  ///< bodies of joints between chassis and wheels that are left free
  std::vector<int> sprung;   ///< bodies of sliding joints between chassis and wheels
  std::vector<int> held;     ///< bodies of joints that servos keep: arms, masts
  std::optional<FoundDifferential> differential;  ///< one that the file lacks
  double lowest = 0;  ///< height of the lowest point of wheels and supports in the root's frame [m]
  std::vector<std::string> notes;  ///< what was assumed, a sentence each
};

/// Recognises a rover: wheels by joints that turn without end and shapes that are round about their axis
/// and reach equally low; from there steering, suspension and the rest. z of the root is up. `motors` are
/// the joints that the file gives a motor; empty: unknown. Reports why if there are no wheels.
std::optional<FoundRover> find_rover_in(const TreeData& tree, const TreeSurvey& survey,
                                        const std::set<std::string>& motors, const Place& place,
                                        IssueList& issues);

}  // namespace grouser::internal
