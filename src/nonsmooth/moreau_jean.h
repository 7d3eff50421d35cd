#pragma once

#include <limits>
#include <span>
#include <vector>

#include "contact/rigid_contact.h"
#include "multibody/rnea.h"
#include "nonsmooth/cone_solver.h"
#include "nonsmooth/load_sharing.h"
#include "nonsmooth/velocity_rows.h"

namespace grouser::internal {

/// A servo: effort = gain · (target - v⁺) as far as the limit lets it.
struct JointDrive {
  int dof = 0;
  double gain = 0;    ///< [N m s/rad] or [N s/m], > 0
  double target = 0;  ///< [rad/s] or [m/s]
  double limit = 0;   ///< [N m] or [N], > 0
};

/// A force between two bodies that changes steeply as they move; StepForces::wrenches has what it is midway. As
/// they move against each other it falls by slope · u, with u the power of `load` on the velocity of a against b.
struct StiffForce {
  int body_a = kWorld, body_b = kWorld;
  Vec3 p_W = Vec3::Zero();  ///< midway [m]
  Wrench load;              ///< on a, at p_W, axes of W
  double slope = 0;         ///< θ h C + θ² h² K of the step, > 0
  double slack = 0;         ///< u must fall by this before it acts, as of a loose tether; >= 0
  /// How far its impulse may fall, >= 0: a tether loses its tension at most [N s].
  double most = std::numeric_limits<double>::infinity();
};

/// Everything that acts in a step besides contacts and drives, at MoreauJean::midway().
struct StepForces {
  std::span<const double> tau;       ///< per velocity
  std::span<const Wrench> wrenches;  ///< per body, at its origin, axes of W; or empty
  /// How the forces above fall if velocities grow by one over the step: θ h C + θ² h² K of their linear
  /// parts. Too much of it only makes the step lag. Symmetric, positive semidefinite.
  std::span<const double> dof_inertia;          ///< per velocity [kg m²] or [kg]; or empty
  std::span<const SpatialMatrix> body_inertia;  ///< per body, about O; or empty
  std::span<const StiffForce> stiff;            ///< between bodies, where no body has it alone
  /// Accelerations of prescribed velocities, per velocity; others are not read. Empty if there are none.
  std::span<const double> prescribed;
};

struct MoreauJeanOptions {
  /// 1/2: second order where motion is smooth, keeps its energy. 1: first order, damps what is stiff.
  double theta = 0.5;
  ConeOptions cone;
};

struct StepReport {
  ConeReport cone;      ///< of the velocities
  ConeReport position;  ///< of the correction of overlap, if there was one
  bool corrected = false;
  double overlap = 0;  ///< largest at the end of the step, before correction [m], >= 0
};

/// Moreau and Jean's time stepping: velocities and impulses are the unknowns, so that impacts, stick and slip
/// need no events. A step has three parts, between which the caller looks at the poses:
///
///     step.begin(q, v, h);               poses at step.midway()
///     step.push(forces);                 poses at step.free_end(), where nobody would touch anybody
///     step.finish(contacts, ..., q, v);  impulses that keep them apart; the end of the step
///
/// From q_θ = q + θ h v the free velocity is v_f = v + (M + θ h C + θ² h² K)⁻¹ h F(q_θ, v), or with a guess v_g
/// other than v from v_θ = (1 - θ) v + θ v_g and q_θ = q + θ h v_θ, v_f = v_g + M̂⁻¹ (h F(q_θ, v_θ) - M (v_g - v)).
/// The end is
/// v⁺ = v_f + M̂⁻¹ Hᵀ R,  q⁺ = q + h (v + θ (v⁺ - v)). Contacts are found where the free motion would end; the
/// gap at the true end is linear in U = H v⁺. A gap may close, but not beyond: U_N >= -e U_N⁻ at an impact,
/// and else as much as closes the gap. What still overlaps (an impact of θ < 1 within the step, curvature) is
/// corrected in the positions alone, along the normals, which leaves velocities as they are.
/// Jean & Moreau (1987); Acary & Brogliato, Numerical Methods for Nonsmooth Dynamical Systems (2008).
class MoreauJean {
 public:
  MoreauJean(const Model& model, const MoreauJeanOptions& options);

  const MoreauJeanOptions& options() const { return options_; }
  /// From (q, v) for h [s]. The second form expects velocities near `guess` at the end: forces are asked for where
  /// that leads, and are linear about it. The first form expects v.
  void begin(const double* q, const double* v, double h) { begin(q, v, h, v); }
  void begin(const double* q, const double* v, double h, const double* guess);
  const Kinematics& midway() const { return midway_; }
  const double* midway_q() const { return q_theta_.data(); }
  const double* midway_v() const { return v_theta_.data(); }
  const double* guess() const { return v_guess_.data(); }
  void push(const StepForces& forces);
  /// Found when first asked for: without contacts nobody needs it.
  const Kinematics& free_end();

  /// Forces [N], [N m]: in: of contacts those of the step before, zero if new; of drives what is likely; out: those
  /// of this step. Of each contact on the first body at its point, axes of W; of each drive its effort. Friction
  /// and end stops of joints begin from zero.
  StepReport finish(std::span<const RigidContact> contacts, std::span<const JointDrive> drives,
                    std::span<Wrench> contact_wrenches, std::span<double> drive_efforts, double* q,
                    double* v);

  /// After finish(), where bodies still overlap because they turned: moves them apart once more, velocities stay.
  /// `contacts` are found at q; arms are taken as if that were the free end.
  ConeReport separate(std::span<const RigidContact> contacts, double* q);

 private:
  struct Stop {
    int dof = 0;
    double sign = 1;  // of the rate that opens the gap
    double gap = 0;   // at the end of the free motion
  };

  /// Friction against turning: a disk or box that is as large as its contacts are pressed. Contacts of two bodies
  /// that follow each other and have one normal have it together, as they turn together.
  struct Turning {
    std::size_t first = 0, last = 0;  // its contacts are first ... last - 1
    double length = 0;                // over normal force [m]
  };

  void add_contacts(std::span<const RigidContact> contacts);
  void add_turning(std::span<const RigidContact> contacts);
  void add_stiff_forces();
  void add_joints(std::span<const JointDrive> drives);
  void set_velocities(std::span<const RigidContact> contacts, std::span<const JointDrive> drives);
  double least_velocity(int block, double gap, double restitution) const;
  void warm_start(std::span<const Wrench> wrenches, std::span<const double> efforts);
  void make_elastic();
  ConeOptions cone_options() const;
  double pressed(const Turning& turning) const;
  void limit_turning();
  ConeReport solve();
  bool bears(std::size_t contact) const;
  void share_load(std::span<const RigidContact> contacts);
  void read_impulses(std::span<Wrench> wrenches, std::span<double> efforts) const;
  Vec3 turning_axis(std::size_t turning, int row) const;
  void correct_positions(std::span<const RigidContact> contacts, StepReport& report, double* q);
  ConeReport push_apart(double* q);
  double end_gap(int block, double gap) const;

  const Model& model_;
  MoreauJeanOptions options_;
  double h_ = 0;
  VecX q_, v_, v_guess_, q_theta_, v_theta_, v_free_, v_end_, v_mean_, bias_, acceleration_;
  Kinematics midway_, free_end_;
  bool knows_free_end_ = false;
  RneaScratch rnea_;
  MassMatrix mass_;
  LoopEquations loops_;
  VelocityRows rows_;
  std::vector<ContactAxes> axes_;
  std::vector<Turning> turning_;
  std::vector<StiffForce> stiff_;
  std::vector<Stop> stops_;
  std::vector<int> rubbing_;  // velocities with dry friction
  std::vector<int> stopped_;  // velocities with end stops
  ConeProblem problem_, overlap_;
  std::vector<double> r_, r_overlap_;
  std::vector<int> normal_rows_, place_;
  ConeSolver solver_;
  LoadSharing sharing_;
  std::vector<double> yield_;         // what make_elastic() added to W, per contact [1/kg]
  std::vector<double> closing_;       // q of the normal row before, per contact [m/s]
  std::vector<std::size_t> sharers_;  // contacts in sharing_
  VecX free_q_;
};

}  // namespace grouser::internal
