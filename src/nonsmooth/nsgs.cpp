#include "nonsmooth/local_solve.h"
#include "nonsmooth/methods.h"

namespace grouser {
namespace {

double row_velocity(const ScaledCone& cone, int row, const double* r) {
  return cone.W.row_times(row, r) + cone.q[static_cast<std::size_t>(row)];
}

void relax(const ScaledCone& cone, const ConeBlock& block, double* r) {
  double* mine = r + block.row;
  if (block.kind != BlockKind::cone) {
    const double w = cone.W(block.row, block.row);
    if (!(w > 0)) return;  // nothing that this row could do
    *mine = solve_one_row(block, w, row_velocity(cone, block.row, r) - w * *mine);
    return;
  }
  Mat3 W;
  Vec3 u;
  for (int k = 0; k < 3; ++k) {
    u[k] = row_velocity(cone, block.row + k, r);
    for (int l = 0; l < 3; ++l) W(k, l) = cone.W(block.row + k, block.row + l);
  }
  Eigen::Map<Vec3> impulse(mine);
  if (W(0, 0) > 0) impulse = solve_one_cone(W, u - W * impulse, block.mu);
}

}  // namespace

void Nsgs::sweep(const ScaledCone& cone, int passes, double* r) {
  for (int pass = 0; pass < passes; ++pass) {
    for (const ConeBlock& block : cone.blocks) relax(cone, block, r);
  }
}

ConeTry Nsgs::run(const ScaledCone& cone, const MethodLimits& limits, double* r) {
  constexpr int kPassesBetweenTests = 10;
  u_.resize(static_cast<std::size_t>(cone.rows()));
  ConeTry result{.method = ConeMethod::nsgs};
  cone.velocity(r, u_.data());
  result.residual = cone.residual(r, u_.data());
  while (result.residual > limits.tolerance && result.iterations < limits.max_iterations) {
    sweep(cone, kPassesBetweenTests, r);
    result.iterations += kPassesBetweenTests;
    cone.velocity(r, u_.data());
    result.residual = cone.residual(r, u_.data());
  }
  return result;
}

}  // namespace grouser
