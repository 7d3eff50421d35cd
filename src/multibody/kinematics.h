#pragma once

#include <span>
#include <vector>

#include "multibody/lane.h"
#include "multibody/model.h"

namespace grouser::internal {

/// Where everything is and how it moves, for one (q, v).
///
/// Spatial vectors of a tree share one reference point O, the origin of its root body at this
/// instant, and the axes of W. Nothing then needs transforming on the way along the tree, and
/// precision does not suffer far from the origin of W.
struct Kinematics {
  explicit Kinematics(const Model& model);

  std::vector<Pose> X_WB;     ///< per body
  std::vector<Columns> R_WB;  ///< per body: rotation, as the inner loops want it
  std::vector<Triple> r_OB;   ///< per body: origin from O [m], axes of W
  std::vector<Vec3> p_WO;     ///< per tree: O in W [m]
  std::vector<Spatial> V;     ///< per body: twist at O
  std::vector<Spatial> C;     ///< per body: dS/dt v, the joint's velocity-product acceleration at O
  std::vector<Spatial> S;     ///< per velocity: twist at O of a unit rate
  std::vector<SpatialInertia> I;     ///< per body: inertia about O
  std::vector<double> sin_q, cos_q;  ///< per position
};

/// Fills all of `out`.
void forward_kinematics(const Model& model, const VecXRef& q, const VecXRef& v, Kinematics& out);

/// The bodies of one tree only; the trees are independent.
void forward_kinematics_of_tree(const Model& model, int tree, const double* q, const double* v,
                                Kinematics& out);

/// Twist of a body (or of the world) at the point p_W, axes of W.
Twist twist_at(const Model& model, const Kinematics& kinematics, int body, const Vec3& p_W);

/// A wrench at the body origin r_OB from O, as a force vector at O.
inline Spatial load_at_reference(const Wrench& F, const Triple& r_OB) {
  const Triple force = triple(F.force);
  return spatial(Triple{triple(F.torque).x + cross(r_OB, force).x}, force);
}

/// Position in W of a point fixed in a body.
inline Vec3 position_of(const Kinematics& kinematics, const BodyPoint& point) {
  if (point.body == kWorld) return point.p_B;
  return kinematics.X_WB[static_cast<std::size_t>(point.body)] * point.p_B;
}

/// dq/dt for the velocities v.
void position_rate(const Model& model, const double* q, const double* v, double* rate);

/// q ← q moved along v for dt [s]; exact for rotations at constant v; quaternions stay unit.
void advance_positions(const Model& model, const double* v, double dt, double* q);

/// Scales the quaternions in q to unit norm.
void normalize_positions(const Model& model, double* q);

}  // namespace grouser::internal
