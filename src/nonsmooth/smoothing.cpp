#include "nonsmooth/methods.h"

namespace grouser {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// g(λ) = (λ + √(λ² + 4 ε²)) / 2, a smooth max(0, λ), with its derivatives by λ and ε.
struct SmoothMax {
  double value, slope, by_epsilon;

  SmoothMax(double x, double epsilon) {
    const double root = std::sqrt(x * x + 4 * epsilon * epsilon);
    // Without loss of digits where x is negative.
    value = x >= 0 ? 0.5 * (x + root) : 2 * epsilon * epsilon / (root - x);
    slope = value / root;
    by_epsilon = 2 * epsilon / root;
  }
};

/// F of one block, its derivatives by r (E, without what goes through u), by u (D) and by ε.
struct SmoothBlock {
  Vec3 F = Vec3::Zero();
  Mat3 E = Mat3::Identity(), D = Mat3::Zero();
  Vec3 by_epsilon = Vec3::Zero();
};

/// Smoothed projection on the cone |x_T| <= x_N: value, derivative by x and by ε.
Vec3 project_smooth(const Vec3& x, double epsilon, Mat3& slope, Vec3& by_epsilon) {
  const double size = std::sqrt(x[1] * x[1] + x[2] * x[2]);
  const Vec2 t = size > 0 ? Vec2(x.tail<2>() / size) : Vec2(1, 0);
  const SmoothMax low(x[0] - size, epsilon), high(x[0] + size, epsilon);
  const double mean = 0.5 * (high.slope + low.slope), half = 0.5 * (high.slope - low.slope);
  const double chord = size > 0 ? (high.value - low.value) / (2 * size) : mean;
  slope(0, 0) = mean;
  slope.block<2, 1>(1, 0) = half * t;
  slope.block<1, 2>(0, 1) = half * t.transpose();
  slope.bottomRightCorner<2, 2>() =
      chord * Eigen::Matrix2d::Identity() + (mean - chord) * t * t.transpose();
  by_epsilon << 0.5 * (high.by_epsilon + low.by_epsilon),
      0.5 * (high.by_epsilon - low.by_epsilon) * t;
  Vec3 p;
  p << 0.5 * (high.value + low.value), 0.5 * (high.value - low.value) * t;
  return p;
}

/// In x = (μ r_N, r_T) and y = (u_N / μ + |u_T|, u_T) the cone is its own dual.
SmoothBlock smooth_friction(double mu, const Vec3& r, const Vec3& u, double epsilon) {
  const double speed = std::sqrt(u[1] * u[1] + u[2] * u[2] + epsilon * epsilon);
  const double rho = std::min(1.0, mu * mu);  // the diagonal of W in these variables reaches 1 / μ²
  const Vec3 x(mu * r[0], r[1], r[2]), y(u[0] / mu + speed, u[1], u[2]);
  Mat3 P, y_by_u = Mat3::Identity();
  y_by_u.row(0) << 1 / mu, u[1] / speed, u[2] / speed;
  SmoothBlock result;
  Vec3 change;
  result.F = x - project_smooth(x - rho * y, epsilon, P, change);
  result.E = Mat3::Identity() - P;
  result.E.col(0) *= mu;
  result.D = rho * P * y_by_u;
  result.by_epsilon = rho * P.col(0) * epsilon / speed - change;
  // Back to the unit of r.
  result.F[0] /= mu;
  result.E.row(0) /= mu;
  result.D.row(0) /= mu;
  result.by_epsilon[0] /= mu;
  return result;
}

SmoothBlock smooth_block(const ConeBlock& block, const Vec3& r, const Vec3& u, double epsilon) {
  if (block.kind == BlockKind::cone && block.mu > 0) {
    return smooth_friction(block.mu, r, u, epsilon);
  }
  SmoothBlock result;
  const double x = r[0] - u[0];
  result.F = r;
  if (block.kind == BlockKind::bilateral) {
    result.F[0] = u[0];
    result.D(0, 0) = 1;
  } else if (block.kind == BlockKind::box) {
    // x + (lower - x)₊ - (x - upper)₊, each only where the bound is finite.
    result.F[0] -= x;
    result.D(0, 0) = 1;
    if (std::isfinite(block.lower)) {
      const SmoothMax below(block.lower - x, epsilon);
      result.F[0] -= below.value;
      result.D(0, 0) -= below.slope;
      result.by_epsilon[0] -= below.by_epsilon;
    }
    if (std::isfinite(block.upper)) {
      const SmoothMax above(x - block.upper, epsilon);
      result.F[0] += above.value;
      result.D(0, 0) -= above.slope;
      result.by_epsilon[0] += above.by_epsilon;
    }
  } else {
    const SmoothMax g(x, epsilon);
    result.F[0] -= g.value;
    result.by_epsilon[0] = -g.by_epsilon;
    result.D(0, 0) = g.slope;
  }
  result.E(0, 0) = 1 - result.D(0, 0);
  return result;
}

}  // namespace

double Smoothing::evaluate(const ScaledCone& cone, const std::vector<double>& r) {
  constexpr double kRegular = 1e-9;  // for redundant contacts, as in Newton
  cone.velocity(r.data(), u_.data());
  double sum = 0;
  for (int b = 0; b < cone.size(); ++b) {
    const SmoothBlock block = smooth_block(cone.block(b), Eigen::Map<const Vec3>(r.data() + 3 * b),
                                           Eigen::Map<const Vec3>(u_.data() + 3 * b), epsilon_);
    Eigen::Map<Vec3>(F_.data() + 3 * b) = block.F;
    Eigen::Map<Vec3>(by_epsilon_.data() + 3 * b) = block.by_epsilon;
    slope_[at(b)] = block.D;
    rest_[at(b)] = block.E + kRegular * block.D;
    sum += block.F.squaredNorm();
  }
  return std::sqrt(sum / cone.size());
}

void Smoothing::begin(const ScaledCone& cone, const double* r) {
  const std::size_t n = at(cone.rows()), blocks = at(cone.size());
  for (auto* v : {&u_, &F_, &trial_, &by_epsilon_, &direction_}) v->resize(n);
  for (auto* v : {&slope_, &rest_}) v->resize(blocks);
  active_.assign(blocks, 1);
  jacobian_.set_cone(cone);
  r_.assign(r, r + n);
  cone.velocity(r, u_.data());
  best_.begin(r, n, cone.residual(r, u_.data()));
  // With a unit diagonal of W, impulses are of the size of velocities.
  double sum = 0;
  for (int b = 0; b < cone.size(); ++b) sum += cone.free_velocity(b).squaredNorm();
  epsilon_ = 0.5 * std::sqrt(sum / cone.size());
}

/// Moves r and ε along the direction until |F| has come down, or is small beside ε; gives the new |F|.
double Smoothing::advance(const ScaledCone& cone, double merit, double next_epsilon) {
  constexpr int kHalvings = 9;
  const double first = epsilon_;
  double step = 1, next = 0;
  for (int halving = 0; halving <= kHalvings; ++halving, step *= 0.5) {
    for (std::size_t i = 0; i < r_.size(); ++i) trial_[i] = r_[i] + step * direction_[i];
    epsilon_ = first + step * (next_epsilon - first);
    next = evaluate(cone, trial_);
    if (next <= (1 - 0.05 * step) * merit || next <= 0.5 * epsilon_) break;
  }
  r_.swap(trial_);
  return next;
}

ConeTry Smoothing::run(const ScaledCone& cone, const MethodLimits& limits, double* r) {
  constexpr double kLeastEpsilon = 1e-13;
  ConeTry result{.method = ConeMethod::smoothing};
  begin(cone, r);
  const double first = epsilon_;
  double merit = evaluate(cone, r_);
  while (best_.residual > limits.tolerance && result.iterations < limits.max_iterations &&
         epsilon_ > kLeastEpsilon * first) {
    ++result.iterations;
    if (!jacobian_.factor(active_, rest_, slope_)) break;
    const double next_epsilon = (merit < 0.5 * epsilon_ ? 0.15 : 0.5) * epsilon_;
    for (std::size_t i = 0; i < r_.size(); ++i) {
      direction_[i] = -F_[i] - by_epsilon_[i] * (next_epsilon - epsilon_);
    }
    jacobian_.solve(direction_.data());
    merit = advance(cone, merit, next_epsilon);
    best_.offer(r_.data(), cone.residual(r_.data(), u_.data()));
  }
  std::copy(best_.r.begin(), best_.r.end(), r);
  result.residual = best_.residual;
  return result;
}

}  // namespace grouser
