#pragma once

#include "multibody/kinematics.h"

namespace grouser::internal {

/// Work space of aba(); meaningless between calls.
struct AbaScratch {
  explicit AbaScratch(const Model& model);

  std::vector<SpatialMatrix> IA;  ///< per body: articulated inertia
  std::vector<Spatial> pA;        ///< per body: articulated bias force
  std::vector<Spatial> a;  ///< per body: acceleration at O, gravity included as upward motion
  std::vector<Spatial> U;  ///< per velocity: IA S
  std::vector<double> D_inverse;  ///< per velocity (one-dof joints): 1 / (S·U + armature)
  std::vector<double> u;          ///< per velocity: effort left for the joint
};

/// Articulated body algorithm: accelerations from forces in O(bodies).
///
/// Featherstone, Rigid Body Dynamics Algorithms (2008), table 7.1. Differs: all spatial vectors of
/// a tree are about one point in world axes (see Kinematics), so that articulated inertias add up
/// without being transformed.
///
/// `kinematics` must be that of (q, v). `tau` is the generalised force on each velocity;
/// `wrenches`, empty or one per body, act at the body origins, axes of W. On input `vdot` holds the
/// accelerations of prescribed velocities, on output all of them.
void aba(const Model& model, const Kinematics& kinematics, const double* tau,
         std::span<const Wrench> wrenches, AbaScratch& scratch, double* vdot);

/// One tree only; the trees are independent.
void aba_of_tree(const Model& model, int tree, const Kinematics& kinematics, const double* tau,
                 std::span<const Wrench> wrenches, AbaScratch& scratch, double* vdot);

}  // namespace grouser::internal
