#include "multibody/model.h"

#include <fmt/format.h>

#include <cmath>
#include <unordered_set>

#include "core/error.h"
#include "multibody/model_checks.h"

namespace grouser::internal {
namespace {

Joint make_joint(const BodySpec& spec) {
  Joint joint;
  joint.type = spec.joint.type;
  joint.parent = spec.parent;
  joint.nq = position_count(joint.type);
  joint.nv = velocity_count(joint.type);
  joint.X_PF = spec.joint.X_PF;
  joint.axis = spec.joint.axis.normalized();
  joint.axis2 = spec.joint.axis2.normalized();
  joint.axis_P = joint.X_PF.R * joint.axis;
  if (joint.type == JointType::revolute) {
    // Rodrigues' formula, sorted by what multiplies 1, cos and sin.
    const Mat3 along = joint.axis * joint.axis.transpose();
    joint.R_along = columns(joint.X_PF.R * along);
    joint.R_cos = columns(joint.X_PF.R * (Mat3::Identity() - along));
    joint.R_sin = columns(joint.X_PF.R * skew(joint.axis));
  }
  return joint;
}

DofLaw law_of(const JointSpec& spec, int k) {
  if (spec.laws.empty()) return {};
  return spec.laws.size() == 1 ? spec.laws[0] : spec.laws[static_cast<std::size_t>(k)];
}

}  // namespace

Model::Model(ModelSpec spec) : spec_(std::move(spec)) {
  check_tree(spec_);
  std::vector<int> last_dof;  // last velocity index on the path root .. body, or -1
  for (BodySpec& body : spec_.bodies) {
    Joint joint = make_joint(body);
    joint.q = nq_;
    joint.v = nv_;
    if (joint.parent == kWorld) tree_begin_.push_back(body_count());
    joint.tree = static_cast<int>(tree_begin_.size()) - 1;
    int above = joint.parent == kWorld ? -1 : last_dof[static_cast<std::size_t>(joint.parent)];
    for (int k = 0; k < joint.nv; ++k) {
      dof_parent_.push_back(above);
      joint_of_dof_.push_back(body_count());
      laws_.push_back(law_of(body.joint, k));
      above = joint.v + k;
    }
    last_dof.push_back(above);
    nq_ += joint.nq;
    nv_ += joint.nv;
    joints_.push_back(joint);
    bodies_.push_back({std::move(body.name), std::move(body.joint.name), body.inertia});
  }
  spec_.bodies.clear();
  tree_begin_.push_back(body_count());
  prescribed_.assign(static_cast<std::size_t>(nv_), 0);
  check_elements(*this);
  for (const Actuator& actuator : spec_.actuators) {
    if (actuator.type != ActuatorType::prescribed) continue;
    prescribed_[static_cast<std::size_t>(actuator.dof)] = 1;
    has_prescribed_ = true;
  }
  for (const Loop& loop : spec_.loops) loop_rows_ += row_count(loop);
  check_mass_matrix(*this);
}

int Model::position_of_dof(int dof) const {
  const Joint& joint = joints_[static_cast<std::size_t>(joint_of_dof(dof))];
  return joint.q + (dof - joint.v);
}

int Model::find_body(std::string_view name) const {
  for (int i = 0; i < body_count(); ++i) {
    if (bodies_[static_cast<std::size_t>(i)].name == name) return i;
  }
  return -1;
}

int Model::find_joint(std::string_view name) const {
  for (int i = 0; i < body_count(); ++i) {
    if (bodies_[static_cast<std::size_t>(i)].joint_name == name) return i;
  }
  return -1;
}

double Model::total_mass() const {
  double sum = 0;
  for (const Body& body : bodies_) sum += body.inertia.mass;
  return sum;
}

VecX Model::neutral_positions() const {
  VecX q = VecX::Zero(nq_);
  for (const Joint& joint : joints_) {
    if (quaternion_offset(joint.type) >= 0) q[joint.q + quaternion_offset(joint.type)] = 1;
  }
  return q;
}

}  // namespace grouser::internal
