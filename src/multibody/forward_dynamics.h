#pragma once

#include "math/pivoted_cholesky.h"
#include "multibody/aba.h"
#include "multibody/crba.h"
#include "multibody/loops.h"

namespace grouser::internal {

/// Work space of the functions below. Allocates all it will ever need; one per thread.
struct DynamicsScratch {
  explicit DynamicsScratch(const Model& model);

  Kinematics kinematics;  ///< of the last (q, v) given
  AbaScratch aba;
  MassMatrix mass;
  LoopEquations loops;
  MatX inverse_mass_J;  ///< M⁻¹Jᵀ, velocity_size × rows
  MatX delassus;        ///< J M⁻¹ Jᵀ
  PivotedCholesky delassus_factor;
  VecX multipliers;    ///< loop forces λ: the generalised force is Jᵀλ [N], [N m]
  VecX velocity_step;  ///< work vector
};

/// How fast drift off the loop equations decays: φ̈ + 2 α φ̇ + α² φ = 0 (Baumgarte), α in [1/s].
inline constexpr double kLoopStabilization = 20;

/// Accelerations from generalised forces `tau` and body `wrenches` (empty or one per body, at its
/// origin, axes of W), with all loops closed. scratch.kinematics must be that of (q, v). `vdot`
/// holds the prescribed accelerations on input and all of them on output; loop forces are left in
/// scratch.multipliers. Redundant loops are allowed.
void forward_dynamics(const Model& model, const double* q, const double* v, const double* tau,
                      std::span<const Wrench> wrenches, DynamicsScratch& scratch, double* vdot);

struct ProjectionReport {
  double before = 0;  ///< largest |φ| found
  double after = 0;   ///< largest |φ| left
  int iterations = 0;
};

/// Moves q the shortest way (in the metric of the mass matrix) onto the loop equations, keeping
/// prescribed coordinates; then v onto their velocity form J v = 0. Does nothing where the residual
/// is below `tolerance` already.
ProjectionReport project_onto_loops(const Model& model, double tolerance, DynamicsScratch& scratch,
                                    double* q, double* v);

}  // namespace grouser::internal
