#include "core/index.h"
#include "nonsmooth/methods.h"

namespace grouser::internal {
namespace {

/// The nearest point to x of a disk, x being `size` > radius from its middle, and the derivative.
Vec2 pull_to_rim(const Vec2& x, double size, double radius, Eigen::Ref<Eigen::Matrix2d> D) {
  const double shrink = radius / size;
  const Vec2 t = x / size;
  D = shrink * (Eigen::Matrix2d::Identity() - t * t.transpose());
  return shrink * x;
}

/// P(x) of Alart and Curnier and its derivative D, for x = r - u.
Vec3 project_with_slope(const ConeBlock& block, const Vec3& x, Mat3& D) {
  D.setZero();
  Vec3 p = Vec3::Zero();
  if (block.kind == BlockKind::disk) {
    const double size = std::sqrt(x[0] * x[0] + x[1] * x[1]);
    if (size < block.upper) {
      D.topLeftCorner<2, 2>().setIdentity();
      p.head<2>() = x.head<2>();
    } else if (size > 0) {
      p.head<2>() = pull_to_rim(x.head<2>(), size, block.upper, D.topLeftCorner<2, 2>());
    }
    return p;
  }
  if (block.kind != BlockKind::cone) {
    p[0] = project_scalar(x[0], block);
    D(0, 0) = p[0] == x[0] ? 1 : 0;
    return p;
  }
  if (!(x[0] > 0)) return p;
  const double radius = block.mu * x[0], size = std::sqrt(x[1] * x[1] + x[2] * x[2]);
  if (size <= radius) {
    D.setIdentity();
    return x;
  }
  D(0, 0) = 1;
  D.block<2, 1>(1, 0) = block.mu / size * x.tail<2>();
  p << x[0], pull_to_rim(x.tail<2>(), size, radius, D.bottomRightCorner<2, 2>());
  return p;
}

}  // namespace

void Newton::begin(const ScaledCone& cone, const double* r) {
  cone_ = &cone;
  alpha_ = 0;
  const std::size_t n = at(cone.rows()), blocks = at(cone.size());
  r_.assign(r, r + n);
  center_ = last_ = r_;
  for (auto* v : {&u_, &F_, &trial_, &direction_, &right_}) v->resize(n);
  for (auto* v : {&slope_, &rest_}) v->resize(blocks);
  active_.resize(blocks);
  jacobian_.set_cone(cone);
  cone.velocity(r, u_.data());
  best_.begin(r, n, cone.residual(r, u_.data()));
}

/// Moves r to where nothing would move, as far as the blocks admit it. What W does not see stays.
bool Newton::guess_sticking() {
  constexpr double kRegular = 1e-6;  // few digits are needed, and redundant contacts are many
  for (int b = 0; b < cone_->size(); ++b) {
    active_[at(b)] = 1;
    slope_[at(b)].setIdentity();
    rest_[at(b)] = kRegular * Mat3::Identity();
  }
  direction_ = u_;
  if (!jacobian_.factor(active_, rest_, slope_)) return false;
  jacobian_.solve(direction_.data());
  for (int b = 0; b < cone_->size(); ++b) {
    Eigen::Map<Vec3> mine(r_.data() + 3 * b);
    mine = project_block(cone_->block(b), mine - Eigen::Map<const Vec3>(direction_.data() + 3 * b));
  }
  cone_->velocity(r_.data(), u_.data());
  best_.offer(r_.data(), cone_->residual(r_.data(), u_.data()));
  return true;
}

void Newton::set_center(double alpha, double momentum) {
  alpha_ = alpha;
  trial_ = r_;
  for (std::size_t i = 0; i < r_.size(); ++i) r_[i] += momentum * (r_[i] - last_[i]);
  last_ = trial_;
  center_ = r_;
}

/// Sets u, F and the slopes at r; gives |F|².
double Newton::evaluate(const std::vector<double>& r) {
  cone_->velocity(r.data(), u_.data());
  double sum = 0;
  for (int b = 0; b < cone_->size(); ++b) {
    const Eigen::Map<const Vec3> mine(r.data() + 3 * b), u(u_.data() + 3 * b);
    const Eigen::Map<const Vec3> c(center_.data() + 3 * b);
    const Vec3 x = mine - u - alpha_ * (mine - c);
    const Vec3 F = mine - project_with_slope(cone_->block(b), x, slope_[at(b)]);
    Eigen::Map<Vec3>(F_.data() + 3 * b) = F;
    sum += F.squaredNorm();
  }
  return sum;
}

/// direction = -J⁻¹ F with J = I - D + D (W + α); false if J is singular. Blocks without a slope say dr = -F
/// and are not put into the matrix.
bool Newton::find_direction() {
  // Keeps redundant contacts solvable: as consistent equations they still lose their residual, while
  // what W does not see stays nearly where it was.
  constexpr double kRegular = 1e-9;
  bool any_left_out = false;
  for (int b = 0; b < cone_->size(); ++b) {
    Eigen::Map<Vec3> direction(direction_.data() + 3 * b);
    active_[at(b)] = slope_[at(b)](0, 0) > 0 || slope_[at(b)](1, 1) > 0;
    rest_[at(b)] = Mat3::Identity() - (1 - kRegular - alpha_) * slope_[at(b)];
    direction.setZero();
    if (!active_[at(b)]) direction = -Eigen::Map<const Vec3>(F_.data() + 3 * b);
    any_left_out = any_left_out || !direction.isZero(0);
  }
  for (int b = 0; b < cone_->size(); ++b) {
    if (!active_[at(b)]) continue;
    Eigen::Map<Vec3> right(right_.data() + 3 * b);
    right = -Eigen::Map<const Vec3>(F_.data() + 3 * b);
    if (any_left_out) right -= slope_[at(b)] * cone_->row_times(b, direction_.data());
  }
  if (!jacobian_.factor(active_, rest_, slope_)) return false;
  jacobian_.solve(right_.data());
  for (int b = 0; b < cone_->size(); ++b) {
    if (!active_[at(b)]) continue;
    Eigen::Map<Vec3>(direction_.data() + 3 * b) = Eigen::Map<const Vec3>(right_.data() + 3 * b);
  }
  return true;
}

/// Moves r along the direction; gives the new |F|², with u, F and slopes there. If no step on the way
/// lowers it, the shortest is taken all the same: the next direction comes from another piece of F.
double Newton::line_search(double merit) {
  constexpr int kHalvings = 6;
  double step = 1, next = 0;
  for (int halving = 0; halving <= kHalvings; ++halving, step *= 0.5) {
    for (std::size_t i = 0; i < r_.size(); ++i) trial_[i] = r_[i] + step * direction_[i];
    next = evaluate(trial_);
    if (next < (1 - 1e-4 * step) * merit) break;
  }
  r_.swap(trial_);
  return next;
}

Newton::Outcome Newton::descend(const MethodLimits& limits, double ratio, int& iterations) {
  constexpr int kPatience = 5;       // steps without progress
  constexpr double kProgress = 0.9;  // of the least |F|²: slower is not worth waiting for
  double merit = evaluate(r_), least = merit;
  const double goal = ratio * ratio * merit;
  int in_vain = 0;
  for (int k = 0; k < limits.max_iterations && in_vain <= kPatience; ++k) {
    ++iterations;
    if (!find_direction()) return Outcome::stalled;
    merit = line_search(merit);
    best_.offer(r_.data(), cone_->residual(r_.data(), u_.data()));
    if (best_.residual <= limits.tolerance) return Outcome::solved;
    if (merit <= goal) return Outcome::reduced;
    in_vain = merit < kProgress * least ? 0 : in_vain + 1;
    least = std::min(merit, least);
  }
  return Outcome::stalled;
}

void Newton::stick(const ScaledCone& cone, double* r) {
  begin(cone, r);
  guess_sticking();
  std::copy(r_.begin(), r_.end(), r);
}

ConeTry Newton::run(const ScaledCone& cone, const MethodLimits& limits, bool guess, double* r) {
  ConeTry result{.method = ConeMethod::newton};
  begin(cone, r);
  bool can_go_on = best_.residual > limits.tolerance;
  if (can_go_on && guess) {
    ++result.iterations;
    can_go_on = guess_sticking() && best_.residual > limits.tolerance;
  }
  if (can_go_on) descend(limits, 0, result.iterations);
  std::copy(best_.r.begin(), best_.r.end(), r);
  result.residual = best_.residual;
  return result;
}

}  // namespace grouser::internal
