#include "integrate/stable_step.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

namespace grouser::internal {
namespace {

constexpr double kNoStepLimit = std::numeric_limits<double>::infinity();

/// |R(z)| of the classical Runge–Kutta method, R(z) = 1 + z + z²/2 + z³/6 + z⁴/24.
double rk4_growth(std::complex<double> z) {
  return std::abs(1.0 + z * (1.0 + z / 2.0 * (1.0 + z / 3.0 * (1.0 + z / 4.0))));
}

/// How far the region of stability of rk4 reaches along a direction of the left half plane, |u| = 1: 2.785 along the
/// real axis, 2.828 along the imaginary one.
double rk4_reach(std::complex<double> u) {
  constexpr double kStep = 0.01, kFarthest = 4, kRounding = 1e-12;
  double inside = 0, outside = kStep;
  while (outside < kFarthest && rk4_growth(outside * u) <= 1 + kRounding) {
    inside = outside;
    outside += kStep;
  }
  for (int k = 0; k < 40; ++k) {
    const double middle = (inside + outside) / 2;
    (rk4_growth(middle * u) <= 1 + kRounding ? inside : outside) = middle;
  }
  return inside;
}

double rk4_stable_step(const MatX& A_q, const MatX& A_v) {
  constexpr double kGrows = 0.1;  // cosine of directions beyond which a mode grows by itself
  const Eigen::Index n = A_q.rows();
  MatX rates = MatX::Zero(2 * n, 2 * n);
  rates.topRightCorner(n, n).setIdentity();
  rates.bottomLeftCorner(n, n) = A_q;
  rates.bottomRightCorner(n, n) = A_v;
  double step = kNoStepLimit;
  const Eigen::EigenSolver<MatX> modes(rates, false);
  for (const std::complex<double>& rate : modes.eigenvalues()) {
    const double size = std::abs(rate);
    if (size == 0 || rate.real() > kGrows * size) continue;
    const std::complex<double> direction(std::min(0.0, rate.real()) / size, rate.imag() / size);
    step = std::min(step, rk4_reach(direction / std::abs(direction)) / size);
  }
  return step;
}

/// v⁺ = v + h (A_q q + A_v v), q⁺ = q + h v⁺. What the method makes unstable alternates; what grows by itself does not.
bool alternates(const MatX& A_q, const MatX& A_v, double h) {
  const Eigen::Index n = A_q.rows();
  MatX step(2 * n, 2 * n);
  step.bottomLeftCorner(n, n) = h * A_q;
  step.bottomRightCorner(n, n) = MatX::Identity(n, n) + h * A_v;
  step.topRows(n) = h * step.bottomRows(n);
  step.topLeftCorner(n, n) += MatX::Identity(n, n);
  const Eigen::EigenSolver<MatX> modes(step, false);
  for (const std::complex<double>& z : modes.eigenvalues()) {
    if (z.real() < 0.5 && std::abs(z) > 1 + 1e-9) return true;
  }
  return false;
}

double semi_implicit_stable_step(const MatX& A_q, const MatX& A_v) {
  // No mode is faster than the norms allow: below the lesser of these all is stable.
  const double damping = A_v.norm(), stiffness = A_q.norm();
  if (damping == 0 && stiffness == 0) return kNoStepLimit;
  double stable = 1 / (damping + std::sqrt(stiffness)), unstable = 2 * stable;
  while (!alternates(A_q, A_v, unstable)) {
    stable = unstable;
    unstable *= 2;
    if (unstable > 1e3) return kNoStepLimit;
  }
  for (int k = 0; k < 20; ++k) {
    const double middle = (stable + unstable) / 2;
    (alternates(A_q, A_v, middle) ? unstable : stable) = middle;
  }
  return stable;
}

}  // namespace

double stable_step(IntegrationMethod method, const MatX& A_q, const MatX& A_v) {
  return method == IntegrationMethod::semi_implicit ? semi_implicit_stable_step(A_q, A_v)
                                                    : rk4_stable_step(A_q, A_v);
}

}  // namespace grouser::internal
