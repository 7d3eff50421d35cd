#include "nonsmooth/methods.h"

namespace grouser {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace

/// W + ρ.
bool Admm::factor(const ScaledCone& cone, double rho) {
  slope_.assign(at(cone.size()), Mat3::Identity());
  rest_.assign(at(cone.size()), rho * Mat3::Identity());
  return jacobian_.factor(active_, rest_, slope_);
}

ConeTry Admm::run(const ScaledCone& cone, const MethodLimits& limits, double* r) {
  constexpr int kBalanceEvery = 10;
  constexpr double kImbalance = 5, kOver = 1.6;  // over-relaxation
  const std::size_t n = at(cone.rows());
  ConeTry result{.method = ConeMethod::admm};
  r_.assign(r, r + n);
  x_ = r_;
  u_.resize(n);
  dual_.resize(n);
  active_.assign(at(cone.size()), 1);
  jacobian_.set_cone(cone);
  cone.velocity(r, u_.data());
  best_.begin(r, n, cone.residual(r, u_.data()));
  double rho = 1;
  // dual = (W r + q + shift) / ρ at the solution.
  for (std::size_t i = 0; i < n; ++i) dual_[i] = u_[i] / rho;
  bool factored = factor(cone, rho);
  while (factored && best_.residual > limits.tolerance &&
         result.iterations < limits.max_iterations) {
    ++result.iterations;
    // Equations: W x + q + shift + ρ (x - r - dual) = 0.
    for (int b = 0; b < cone.size(); ++b) {
      const Vec3 q = cone.free_velocity(b);
      for (int k = 0; k < 3; ++k)
        x_[at(3 * b + k)] = rho * (r_[at(3 * b + k)] + dual_[at(3 * b + k)]) - q[k];
      if (cone.block(b).kind == BlockKind::cone) {
        x_[at(3 * b)] -= cone.block(b).mu * Eigen::Map<const Vec2>(u_.data() + 3 * b + 1).norm();
      }
    }
    jacobian_.solve(x_.data());
    double primal = 0, moved = 0;
    for (int b = 0; b < cone.size(); ++b) {
      Eigen::Map<Vec3> mine(r_.data() + 3 * b), dual(dual_.data() + 3 * b);
      const Vec3 x = kOver * Eigen::Map<const Vec3>(x_.data() + 3 * b) + (1 - kOver) * mine;
      const Vec3 next = project_block(cone.block(b), x - dual);
      moved += (next - mine).squaredNorm();
      dual += next - x;
      primal += (Eigen::Map<const Vec3>(x_.data() + 3 * b) - next).squaredNorm();
      mine = next;
    }
    cone.velocity(r_.data(), u_.data());
    best_.offer(r_.data(), cone.residual(r_.data(), u_.data()));
    if (result.iterations % kBalanceEvery != 0) continue;
    const double ratio = std::sqrt(primal / moved);
    if (ratio > 1 / kImbalance && ratio < kImbalance) continue;
    const double change = std::clamp(ratio, 0.1, 10.0);
    rho *= change;
    for (double& entry : dual_) entry /= change;
    factored = factor(cone, rho);
  }
  std::copy(best_.r.begin(), best_.r.end(), r);
  result.residual = best_.residual;
  return result;
}

}  // namespace grouser
