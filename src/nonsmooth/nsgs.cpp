#include "nonsmooth/local_solve.h"
#include "nonsmooth/methods.h"

namespace grouser::internal {
namespace {

void relax(const ScaledCone& cone, int b, double* r) {
  const ConeBlock& block = cone.block(b);
  const Mat3& W = cone.diagonal(b);
  if (!(W(0, 0) > 0)) return;  // nothing that this block could do
  Eigen::Map<Vec3> impulse(r + 3 * b);
  const Vec3 q = cone.free_velocity(b) + cone.row_times(b, r) - W * impulse;
  if (block.kind == BlockKind::cone) {
    impulse = solve_one_cone(W, q, block.mu);
  } else if (block.kind == BlockKind::disk) {
    impulse = solve_one_disk(W, q, block.upper);
  } else {
    impulse[0] = solve_one_row(block, W(0, 0), q[0]);
  }
}

}  // namespace

ConeTry Nsgs::run(const ScaledCone& cone, const MethodLimits& limits, double* r) {
  constexpr int kSweepsBetweenTests = 10;
  const std::size_t n = static_cast<std::size_t>(cone.rows());
  u_.resize(n);
  const auto residual = [&] {
    cone.velocity(r, u_.data());
    return cone.residual(r, u_.data());
  };
  ConeTry result{.method = ConeMethod::nsgs};
  best_.begin(r, n, residual());
  while (best_.residual > limits.tolerance && result.iterations < limits.max_iterations) {
    for (int sweep = 0; sweep < kSweepsBetweenTests; ++sweep) {
      for (int b = 0; b < cone.size(); ++b) relax(cone, b, r);
    }
    result.iterations += kSweepsBetweenTests;
    best_.offer(r, residual());
  }
  std::copy(best_.r.begin(), best_.r.end(), r);
  result.residual = best_.residual;
  return result;
}

}  // namespace grouser::internal
