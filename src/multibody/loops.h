#pragma once

#include "multibody/crba.h"
#include "multibody/kinematics.h"

namespace grouser::internal {

/// All loop equations φ(q) = 0 of a model at one (q, v).
struct LoopEquations {
  explicit LoopEquations(const Model& model);

  VecX residual;  ///< φ [m], [rad]
  VecX bias;      ///< dJ/dt v, so that d²φ/dt² = J dv/dt + bias
  MatX J;         ///< velocity_size × rows: column r is the gradient of φ_r in the velocities, or
                  ///< zero where that of the two bodies cancels
  std::vector<Spatial> body_bias;  ///< per body: its acceleration at O for dv/dt = 0
};

void evaluate_loops(const Model& model, const Kinematics& kinematics, const double* q,
                    LoopEquations& out);

/// M⁻¹Jᵀ, column by column, with the factor of M. J is given by columns as in LoopEquations.
void inverse_mass_times(const MassMatrix& factor, const MatX& J_columns, MatX& out);

}  // namespace grouser::internal
