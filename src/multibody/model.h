#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "math/spatial.h"
#include "multibody/elements.h"
#include "multibody/joint.h"
#include "multibody/lane.h"

namespace grouser::internal {

/// A body and the joint that carries it, as an author describes them.
struct BodySpec {
  std::string name;
  RigidInertia inertia;
  int parent = kWorld;  ///< index of an earlier body, or kWorld
  JointSpec joint;
};

/// Everything a Model is built from, in plain data.
struct ModelSpec {
  std::vector<BodySpec> bodies;  ///< parents before children
  std::vector<Loop> loops;
  std::vector<Actuator> actuators;
  std::vector<SpringDamper> springs;
  std::vector<Tether> tethers;
  Vec3 gravity = Vec3(0, 0, -9.80665);  ///< [m/s²]
};

/// A joint as the algorithms want it; joint i carries body i.
struct Joint {
  JointType type = JointType::fixed;
  int parent = kWorld;
  int tree = 0;  ///< bodies connected by joints share a tree
  int q = 0;     ///< first index in the position vector
  int v = 0;     ///< first index in the velocity vector
  int nq = 0;
  int nv = 0;
  Pose X_PF;
  Vec3 axis = Vec3::UnitZ();
  Vec3 axis2 = Vec3::UnitY();
  Vec3 axis_P = Vec3::UnitZ();  ///< `axis` in the parent's frame
  Columns R_along;              ///< revolute: R_PM = R_along + R_cos cos q + R_sin sin q
  Columns R_cos, R_sin;
};

struct Body {
  std::string name;
  std::string joint_name;
  RigidInertia inertia;
};

/// A multibody system: immutable once built, shared by threads. Kinematic trees of bodies joined
/// by joints, closed by loops, moved by actuators and force elements.
class Model {
 public:
  /// Throws Error(input) naming every defect: parents, names, axes, laws, inertia, references.
  explicit Model(ModelSpec spec);

  int body_count() const { return static_cast<int>(joints_.size()); }
  int tree_count() const { return static_cast<int>(tree_begin_.size()) - 1; }
  int position_size() const { return nq_; }  ///< length of q
  int velocity_size() const { return nv_; }  ///< length of v

  const std::vector<Body>& bodies() const { return bodies_; }
  const std::vector<Joint>& joints() const { return joints_; }
  const std::vector<DofLaw>& laws() const { return laws_; }  ///< per velocity
  const std::vector<Loop>& loops() const { return spec_.loops; }
  const std::vector<Actuator>& actuators() const { return spec_.actuators; }
  const std::vector<SpringDamper>& springs() const { return spec_.springs; }
  const std::vector<Tether>& tethers() const { return spec_.tethers; }
  const Vec3& gravity() const { return spec_.gravity; }

  /// Bodies of tree t are [tree_begin(t), tree_begin(t + 1)).
  int tree_begin(int tree) const { return tree_begin_[static_cast<std::size_t>(tree)]; }
  /// Joint that owns velocity index `dof`.
  int joint_of_dof(int dof) const { return joint_of_dof_[static_cast<std::size_t>(dof)]; }
  /// Position index of the plain coordinate with velocity index `dof`.
  int position_of_dof(int dof) const;
  /// The velocity index before `dof` on the way to the root, or -1: the sparsity of the mass matrix.
  const std::vector<int>& dof_parent() const { return dof_parent_; }
  /// Per velocity: 1 where prescribed motion leaves no freedom.
  const std::vector<char>& prescribed() const { return prescribed_; }
  bool has_prescribed() const { return has_prescribed_; }
  /// Total number of scalar loop equations.
  int loop_row_count() const { return loop_rows_; }

  int find_body(std::string_view name) const;   ///< -1 if there is none
  int find_joint(std::string_view name) const;  ///< index of the body it carries, or -1
  double total_mass() const;                    ///< [kg]
  /// q at zero positions: unit quaternions, everything else zero.
  VecX neutral_positions() const;

 private:
  ModelSpec spec_;  ///< its bodies are moved into the arrays below
  std::vector<Body> bodies_;
  std::vector<Joint> joints_;
  std::vector<DofLaw> laws_;
  std::vector<int> tree_begin_;
  std::vector<int> joint_of_dof_;
  std::vector<int> dof_parent_;
  std::vector<char> prescribed_;
  bool has_prescribed_ = false;
  int nq_ = 0;
  int nv_ = 0;
  int loop_rows_ = 0;
};

}  // namespace grouser::internal
