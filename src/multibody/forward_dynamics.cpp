#include "multibody/forward_dynamics.h"

#include "core/parallel.h"

namespace grouser::internal {
namespace {

/// Trees handed to a thread at once; below this many nothing is worth sharing.
constexpr std::size_t kTreesPerTask = 32;

VecXRef as_vector(const double* data, int size) { return Eigen::Map<const VecX>(data, size); }

/// Prepares M⁻¹Jᵀ and the factor of J M⁻¹Jᵀ at the present kinematics and loop equations.
void factor_loops(const Model& model, DynamicsScratch& scratch) {
  crba(model, scratch.kinematics, scratch.mass);
  scratch.mass.factorize(model);
  inverse_mass_times(scratch.mass, scratch.loops.J, scratch.inverse_mass_J);
  scratch.delassus.noalias() = scratch.loops.J.transpose().lazyProduct(scratch.inverse_mass_J);
  scratch.delassus_factor.compute(scratch.delassus);
}

void update(const Model& model, const double* q, const double* v, DynamicsScratch& scratch) {
  forward_kinematics(model, as_vector(q, model.position_size()),
                     as_vector(v, model.velocity_size()), scratch.kinematics);
  evaluate_loops(model, scratch.kinematics, q, scratch.loops);
}

}  // namespace

DynamicsScratch::DynamicsScratch(const Model& model)
    : kinematics(model),
      aba(model),
      mass(model),
      loops(model),
      inverse_mass_J(model.velocity_size(), model.loop_row_count()),
      delassus(model.loop_row_count(), model.loop_row_count()),
      delassus_factor(model.loop_row_count()),
      multipliers(VecX::Zero(model.loop_row_count())),
      velocity_step(VecX::Zero(model.velocity_size())) {}

void forward_dynamics(const Model& model, const double* q, const double* v, const double* tau,
                      std::span<const Wrench> wrenches, DynamicsScratch& scratch, double* vdot) {
  parallel_for(static_cast<std::size_t>(model.tree_count()), kTreesPerTask,
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t tree = begin; tree < end; ++tree) {
                   aba_of_tree(model, static_cast<int>(tree), scratch.kinematics, tau, wrenches,
                               scratch.aba, vdot);
                 }
               });
  if (model.loop_row_count() == 0) return;
  evaluate_loops(model, scratch.kinematics, q, scratch.loops);
  factor_loops(model, scratch);
  Eigen::Map<VecX> a(vdot, model.velocity_size());
  const Eigen::Map<const VecX> rate(v, model.velocity_size());
  const LoopEquations& loops = scratch.loops;
  scratch.velocity_step = a + 2 * kLoopStabilization * rate;
  scratch.multipliers.noalias() = -loops.J.transpose().lazyProduct(scratch.velocity_step);
  scratch.multipliers -= loops.bias + kLoopStabilization * kLoopStabilization * loops.residual;
  scratch.delassus_factor.solve(scratch.multipliers);
  a.noalias() += scratch.inverse_mass_J.lazyProduct(scratch.multipliers);
}

ProjectionReport project_onto_loops(const Model& model, double tolerance, DynamicsScratch& scratch,
                                    double* q, double* v) {
  ProjectionReport report;
  if (model.loop_row_count() == 0) return report;
  constexpr int kMaxIterations = 20;
  VecX& step = scratch.velocity_step;
  update(model, q, v, scratch);
  report.before = report.after = scratch.loops.residual.cwiseAbs().maxCoeff();
  while (report.after > tolerance && report.iterations < kMaxIterations) {
    factor_loops(model, scratch);
    scratch.multipliers = -scratch.loops.residual;
    scratch.delassus_factor.solve(scratch.multipliers);
    step.noalias() = scratch.inverse_mass_J.lazyProduct(scratch.multipliers);
    advance_positions(model, step.data(), 1, q);
    update(model, q, v, scratch);
    report.after = scratch.loops.residual.cwiseAbs().maxCoeff();
    ++report.iterations;
  }
  Eigen::Map<VecX> rate(v, model.velocity_size());
  scratch.multipliers.noalias() = -scratch.loops.J.transpose().lazyProduct(rate);
  if (scratch.multipliers.cwiseAbs().maxCoeff() > tolerance) {
    factor_loops(model, scratch);
    scratch.delassus_factor.solve(scratch.multipliers);
    rate.noalias() += scratch.inverse_mass_J.lazyProduct(scratch.multipliers);
    // Later callers find the kinematics of what q and v are now.
    update(model, q, v, scratch);
  }
  return report;
}

}  // namespace grouser::internal
