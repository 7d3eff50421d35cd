#pragma once

#include <vector>

#include "multibody/elements.h"
#include "scene/tree_data.h"

namespace grouser::internal {

/// A body of a tree where it stands when all joints are at zero, or at the stop nearest to it.
struct SurveyedBody {
  const BodyData* data = nullptr;
  int parent = kWorld;  ///< index, or kWorld
  Pose X_RB;            ///< in the frame of the tree's root
  int group = 0;        ///< index of the body that leads those it is welded to
};

/// A tree seen as a whole, to find out what its parts are for. Refers to the tree.
class TreeSurvey {
 public:
  explicit TreeSurvey(const TreeData& tree, IssueList& issues);

  const std::vector<SurveyedBody>& bodies() const { return bodies_; }
  const SurveyedBody& body(int index) const { return bodies_[static_cast<std::size_t>(index)]; }
  const JointData* joint(int index) const {
    const auto& joint = body(index).data->joint;
    return joint ? &*joint : nullptr;
  }
  /// Whether its joint moves on the tree: the root of a free tree does not count.
  bool moves(int index) const;
  /// Whether it turns without stops, or with some that are turns away.
  bool turns_freely(int index) const;
  /// Axis of a body's joint, a unit vector in the root's frame.
  Vec3 axis(int index) const;
  /// The bodies welded to each other that this one leads.
  std::vector<int> members(int group) const;
  /// Mass of a body and all that it carries, in the root's frame.
  RigidInertia carried(int index) const;
  /// Moment of inertia of what a body's joint moves, about its axis [kg m²].
  double inertia_about_joint(int index) const;
  bool carries(int carrier, int index) const;
  double mass() const;

 private:
  std::vector<SurveyedBody> bodies_;
};

}  // namespace grouser::internal
