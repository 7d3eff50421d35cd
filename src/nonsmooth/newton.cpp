#include <limits>

#include "nonsmooth/dense_lu.h"
#include "nonsmooth/methods.h"

namespace grouser {
namespace {

/// P(x) of Alart and Curnier and its derivative D, for x = r - u.
void project_with_slope(const ConeBlock& block, const double* x, double* p, Mat3& D) {
  D.setZero();
  if (block.kind != BlockKind::cone) {
    p[0] = project_scalar(x[0], block);
    D(0, 0) = p[0] == x[0] ? 1 : 0;
    return;
  }
  p[0] = p[1] = p[2] = 0;
  if (!(x[0] > 0)) return;
  p[0] = x[0];
  D(0, 0) = 1;
  const double radius = block.mu * x[0], size = std::hypot(x[1], x[2]);
  if (size <= radius) {
    p[1] = x[1];
    p[2] = x[2];
    D(1, 1) = D(2, 2) = 1;
    return;
  }
  const double shrink = radius / size;
  const double t[2] = {x[1] / size, x[2] / size};
  for (int k = 0; k < 2; ++k) {
    p[k + 1] = shrink * x[k + 1];
    D(k + 1, 0) = block.mu * t[k];
    for (int l = 0; l < 2; ++l) D(k + 1, l + 1) = shrink * ((k == l ? 1 : 0) - t[k] * t[l]);
  }
}

}  // namespace

/// Sets u, F and the slopes at r; gives |F|².
double Newton::evaluate(const ScaledCone& cone, const double* r) {
  cone.velocity(r, u_.data());
  double sum = 0;
  for (std::size_t b = 0; b < cone.blocks.size(); ++b) {
    const ConeBlock& block = cone.blocks[b];
    double x[3], p[3];
    const int rows = rows_of(block.kind);
    for (int k = 0; k < rows; ++k) {
      x[k] = r[block.row + k] - u_[static_cast<std::size_t>(block.row + k)];
    }
    project_with_slope(block, x, p, slope_[b]);
    for (int k = 0; k < rows; ++k) {
      const double f = r[block.row + k] - p[k];
      F_[static_cast<std::size_t>(block.row + k)] = f;
      sum += f * f;
    }
  }
  return sum;
}

/// direction = -J⁻¹ F with J = I - D + D (W + ε); false if J is singular. Rows of blocks without a slope say
/// dr = -F and are not put into the matrix.
bool Newton::find_direction(const ScaledCone& cone) {
  active_.clear();
  bool any_left_out = false;
  for (std::size_t b = 0; b < cone.blocks.size(); ++b) {
    const ConeBlock& block = cone.blocks[b];
    for (int k = 0; k < rows_of(block.kind); ++k) {
      const std::size_t row = static_cast<std::size_t>(block.row + k);
      const bool is_active = slope_[b](0, 0) > 0;
      if (is_active) active_.push_back(block.row + k);
      direction_[row] = is_active ? 0 : -F_[row];
      any_left_out = any_left_out || direction_[row] != 0;
    }
  }
  right_.resize(active_.size());
  fill_jacobian(cone, any_left_out);
  if (!lu_.factor()) return false;
  lu_.solve(right_.data());
  for (std::size_t i = 0; i < active_.size(); ++i) {
    direction_[static_cast<std::size_t>(active_[i])] = right_[i];
  }
  return true;
}

/// The active rows of J and of the right-hand side.
void Newton::fill_jacobian(const ScaledCone& cone, bool any_left_out) {
  // Keeps redundant contacts solvable: as consistent equations they still lose their residual, while
  // what W does not see stays nearly where it was.
  constexpr double kRegular = 1e-9;
  const int n = static_cast<int>(active_.size());
  Eigen::Map<MatX> J = lu_.resize(n);
  int at = 0;
  for (std::size_t b = 0; b < cone.blocks.size(); ++b) {
    const Mat3& D = slope_[b];
    if (D(0, 0) == 0) continue;
    const int rows = rows_of(cone.blocks[b].kind), row = cone.blocks[b].row;
    Vec3 moved = Vec3::Zero();  // by the rows left out
    for (int k = 0; any_left_out && k < rows; ++k) {
      moved[k] = cone.W.row_times(row + k, direction_.data());
    }
    moved = D * moved;
    for (int k = 0; k < rows; ++k) {
      right_[static_cast<std::size_t>(at + k)] = -F_[static_cast<std::size_t>(row + k)] - moved[k];
    }
    for (int j = 0; j < n; ++j) {
      const double* w =
          cone.W.value.data() + active_[static_cast<std::size_t>(j)] * cone.rows() + row;
      for (int k = 0; k < rows; ++k) {
        double sum = 0;
        for (int l = 0; l < rows; ++l) sum += D(k, l) * w[l];
        J(at + k, j) = sum;
      }
    }
    for (int k = 0; k < rows; ++k) {
      for (int l = 0; l < rows; ++l) {
        J(at + k, at + l) += (k == l ? 1 : 0) - (1 - kRegular) * D(k, l);
      }
    }
    at += rows;
  }
}

ConeTry Newton::run(const ScaledCone& cone, const MethodLimits& limits, double* r) {
  const std::size_t n = static_cast<std::size_t>(cone.rows());
  for (auto* v : {&u_, &F_, &trial_, &best_, &direction_}) v->resize(n);
  slope_.resize(cone.blocks.size());
  ConeTry result{.method = ConeMethod::newton};
  double merit = evaluate(cone, r);
  result.residual = cone.residual(r, u_.data());
  best_.assign(r, r + n);
  std::copy(r, r + n, trial_.begin());
  while (result.residual > limits.tolerance && result.iterations < limits.max_iterations) {
    ++result.iterations;
    if (!find_direction(cone)) break;
    const double next = line_search(cone, merit, r);
    const double residual = cone.residual(r, u_.data());
    if (!(next < merit) && !(residual < result.residual)) break;
    merit = next;
    if (residual < result.residual) {
      result.residual = residual;
      best_.assign(r, r + n);
    }
  }
  std::copy(best_.begin(), best_.end(), r);
  return result;
}

/// Moves r along the direction; gives the new |F|², with u, F and slopes there.
double Newton::line_search(const ScaledCone& cone, double merit, double* r) {
  constexpr int kHalvings = 8;
  const std::size_t n = trial_.size();
  double step = 1, next = 0;
  for (int halving = 0; halving <= kHalvings; ++halving, step *= 0.5) {
    for (std::size_t i = 0; i < n; ++i) trial_[i] = r[i] + step * direction_[i];
    next = evaluate(cone, trial_.data());
    if (next < (1 - 1e-4 * step) * merit) break;
  }
  std::copy(trial_.begin(), trial_.end(), r);
  return next;
}

}  // namespace grouser
