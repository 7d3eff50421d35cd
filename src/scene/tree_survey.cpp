#include "scene/tree_survey.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scene/body_order.h"

namespace grouser::internal {
namespace {

/// Pose of a joint's child in its frame at the initial position.
Pose pose_at_start(const JointData& joint) {
  if (joint.laws.size() != 1) return {};
  const DofLaw& law = joint.laws.front();
  const double q = law.lower < law.upper ? std::clamp(0.0, law.lower, law.upper) : 0;
  if (joint.type == JointType::revolute) {
    return {Eigen::AngleAxisd(q, joint.axis).toRotationMatrix(), Vec3::Zero()};
  }
  if (joint.type == JointType::prismatic) return {Mat3::Identity(), q * joint.axis};
  return {};
}

}  // namespace

TreeSurvey::TreeSurvey(const TreeData& tree, IssueList& issues) {
  for (const OrderedBody& ordered : order_bodies(tree.bodies, issues)) {
    const int index = static_cast<int>(bodies_.size());
    SurveyedBody surveyed{.data = ordered.data, .parent = ordered.parent, .group = index};
    const auto& joint = ordered.data->joint;
    if (joint) {
      const Pose X_PB = joint->X_PF * pose_at_start(*joint);
      const bool on_world = ordered.parent == kWorld;
      surveyed.X_RB = on_world ? X_PB : body(ordered.parent).X_RB * X_PB;
      if (joint->type == JointType::fixed && !on_world) surveyed.group = body(ordered.parent).group;
    }
    bodies_.push_back(surveyed);
  }
}

bool TreeSurvey::moves(int index) const {
  const JointData* given = joint(index);
  return given != nullptr && given->type != JointType::fixed && given->type != JointType::free;
}

bool TreeSurvey::turns_freely(int index) const {
  const JointData* given = joint(index);
  if (given == nullptr || given->type != JointType::revolute || given->laws.empty()) return false;
  return given->laws[0].upper - given->laws[0].lower >= 4 * std::numbers::pi;
}

Vec3 TreeSurvey::axis(int index) const { return body(index).X_RB.R * joint(index)->axis; }

std::vector<int> TreeSurvey::members(int group) const {
  std::vector<int> found;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (bodies_[b].group == group) found.push_back(static_cast<int>(b));
  }
  return found;
}

bool TreeSurvey::carries(int carrier, int index) const {
  for (; index != kWorld; index = body(index).parent) {
    if (index == carrier) return true;
  }
  return false;
}

RigidInertia TreeSurvey::carried(int index) const {
  RigidInertia sum;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (bodies_[b].data->inertia.mass <= 0 || !carries(index, static_cast<int>(b))) continue;
    const RigidInertia part = transformed(bodies_[b].X_RB, bodies_[b].data->inertia);
    sum = sum.mass > 0 ? combined(sum, part) : part;
  }
  return sum;
}

double TreeSurvey::inertia_about_joint(int index) const {
  const RigidInertia moved = carried(index);
  const Vec3 along = axis(index);
  const double beside = (moved.com - body(index).X_RB.p).cross(along).norm();
  return along.dot(moved.about_com * along) + moved.mass * beside * beside;
}

double TreeSurvey::mass() const {
  double sum = 0;
  for (const SurveyedBody& surveyed : bodies_) sum += surveyed.data->inertia.mass;
  return sum;
}

}  // namespace grouser::internal
