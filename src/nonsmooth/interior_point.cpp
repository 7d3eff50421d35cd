#include <limits>

#include "core/index.h"
#include "nonsmooth/methods.h"

namespace grouser::internal {
namespace {

/// A cone in x = (μ r_N, r_T) and y = (u_N / μ + |u_T|, u_T) is its own dual. Without friction only the
/// first row is left. A disk is the slice x = (radius, r) of the same cone; there y = (y_0, u) with y_0 free.
bool is_round(const ConeBlock& block) {
  return (block.kind == BlockKind::cone && block.mu > 0) ||
         (block.kind == BlockKind::disk && block.upper > 0);
}

bool is_disk(const ConeBlock& block) { return block.kind == BlockKind::disk; }

Vec3 to_round(const ConeBlock& block, const double* r) {
  if (is_disk(block)) return {block.upper, r[0], r[1]};
  return {block.mu * r[0], r[1], r[2]};
}

Vec3 change_to_round(const ConeBlock& block, const double* change) {
  if (is_disk(block)) return {0, change[0], change[1]};
  return to_round(block, change);
}

/// What a single row may be.
struct Bounds {
  double lower, upper;

  explicit Bounds(const ConeBlock& block) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    lower = block.kind == BlockKind::box ? block.lower : -kInfinity;
    upper = block.kind == BlockKind::box ? block.upper : kInfinity;
    if (block.kind == BlockKind::unilateral || block.kind == BlockKind::cone) lower = 0;
    if (is_disk(block)) lower = upper = 0;  // else it is round
  }
  bool has_lower() const { return std::isfinite(lower); }
  bool has_upper() const { return std::isfinite(upper); }
  bool is_fixed() const { return lower == upper; }
};

/// The matrix of x ∘ y = (x · y, x_0 y_T + y_0 x_T).
Mat3 product_by(const Vec3& x) {
  Mat3 L;
  L << x[0], x[1], x[2], x[1], x[0], 0, x[2], 0, x[0];
  return L;
}

/// x ∘ y = c linearised is E dr + D du = c once the change of y_0 is eliminated; this is what is left of c.
Vec3 without_first(const Vec3& x, const Vec3& c) {
  const Vec2 rest = c.tail<2>() - c[0] / x[0] * x.tail<2>();
  return {rest[0], rest[1], 0};
}

/// Largest a for which x + a d stays in the cone |x_T| <= x_0.
double reach(const Vec3& x, const Vec3& d) {
  const double size = std::sqrt(x[1] * x[1] + x[2] * x[2]);
  const double dd = d[0] * d[0] - d[1] * d[1] - d[2] * d[2];
  const double xd = x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
  const double xx = (x[0] - size) * (x[0] + size);
  const double inside = xd * xd - dd * xx;
  double best = d[0] < 0 ? -x[0] / d[0] : std::numeric_limits<double>::infinity();
  // The least positive root of xx + 2 a xd + a² dd.
  if (inside < 0) return best;
  const double divisor = std::sqrt(inside) - xd;
  if (divisor > 0) best = std::min(best, xx / divisor);
  return best;
}

double reach(double x, double d) {
  return d < 0 ? -x / d : std::numeric_limits<double>::infinity();
}

}  // namespace

/// Sets r and y far from all bounds, and u. Where light bodies bear heavy ones, impulses are `size` times what their
/// contacts alone would need.
void InteriorPoint::begin(const ScaledCone& cone, const double* r, double size) {
  const std::size_t n = at(cone.rows()), blocks = at(cone.size());
  for (auto* v : {&r_, &y_, &error_, &r_change_, &y_change_}) v->assign(n, 0.0);
  u_.resize(n);
  for (auto* v : {&slope_, &rest_, &y_by_u_}) v->resize(blocks);
  active_.assign(blocks, 1);
  jacobian_.set_cone(cone);
  cone.velocity(r, u_.data());
  best_.begin(r, n, cone.residual(r, u_.data()));
  // With a unit diagonal of W, impulses are of the size of velocities.
  double sum = 0;
  for (int b = 0; b < cone.size(); ++b) sum += cone.free_velocity(b).squaredNorm();
  const double typical = std::sqrt(sum / cone.size());
  for (int b = 0; b < cone.size(); ++b) {
    double* const mine = r_.data() + 3 * b;
    double* const y = y_.data() + 3 * b;
    if (is_round(cone.block(b))) {
      if (!is_disk(cone.block(b))) mine[0] = size * typical / cone.block(b).mu;
      y[0] = typical;
      continue;
    }
    const Bounds bounds(cone.block(b));
    const double margin = std::min(size * typical, 0.5 * (bounds.upper - bounds.lower));
    mine[0] = std::clamp(0.0, bounds.lower + margin, bounds.upper - margin);
    if (bounds.is_fixed()) continue;
    if (bounds.has_lower()) {
      y[0] = typical * std::min(1.0, typical / (mine[0] - bounds.lower));
    }
    if (bounds.has_upper()) {
      y[1] = typical * std::min(1.0, typical / (bounds.upper - mine[0]));
    }
  }
  cone.velocity(r_.data(), u_.data());
}

/// Mean of the products that shall become zero.
double InteriorPoint::mean_product(const ScaledCone& cone) const {
  double sum = 0;
  int count = 0;
  for (int b = 0; b < cone.size(); ++b) {
    const double* const mine = r_.data() + 3 * b;
    const double* const y = y_.data() + 3 * b;
    if (is_round(cone.block(b))) {
      sum += to_round(cone.block(b), mine).dot(Vec3(y[0], y[1], y[2]));
      ++count;
      continue;
    }
    const Bounds bounds(cone.block(b));
    if (bounds.is_fixed()) continue;
    if (bounds.has_lower()) sum += (mine[0] - bounds.lower) * y[0];
    if (bounds.has_upper()) sum += (bounds.upper - mine[0]) * y[1];
    count += bounds.has_lower() + bounds.has_upper();
  }
  return count > 0 ? sum / count : 0;
}

/// Sets the matrices of the linear equations for the changes. `share` is how much of the change of |u_T| they
/// take into account.
void InteriorPoint::linearize(const ScaledCone& cone, double share) {
  for (int b = 0; b < cone.size(); ++b) {
    const ConeBlock& block = cone.block(b);
    const double* const mine = r_.data() + 3 * b;
    const double* const u = u_.data() + 3 * b;
    const Eigen::Map<const Vec3> y(y_.data() + 3 * b);
    Mat3 &E = rest_[at(b)], &D = slope_[at(b)];
    if (is_round(block) && is_disk(block)) {
      const Vec3 x = to_round(block, mine);
      const double weight = 1 / (x[0] + y[0]);
      Eigen::Map<Vec3>(error_.data() + 3 * b) = Vec3(0, u[0] - y[1], u[1] - y[2]);
      E.setIdentity();
      D.setZero();
      const auto reduced = [&](const Vec3& z, const Vec2& by) -> Eigen::Matrix2d {
        return weight * (z[0] * Eigen::Matrix2d::Identity() - x.tail<2>() / x[0] * by.transpose());
      };
      E.topLeftCorner<2, 2>() = reduced(y, y.tail<2>());
      D.topLeftCorner<2, 2>() = reduced(x, x.tail<2>());
      continue;
    }
    if (is_round(block)) {
      const double speed = std::sqrt(u[1] * u[1] + u[2] * u[2]);
      const double part = speed > 0 ? share / speed : 0;
      Mat3& y_by_u = y_by_u_[at(b)];
      y_by_u.setIdentity();
      y_by_u.row(0) << 1 / block.mu, part * u[1], part * u[2];
      Eigen::Map<Vec3>(error_.data() + 3 * b) = Vec3(u[0] / block.mu + speed, u[1], u[2]) - y;
      const Vec3 x = to_round(block, mine);
      const double weight = 1 / (x[0] + y[0]);
      E = weight * product_by(y);
      E.col(0) *= block.mu;
      D = weight * product_by(x) * y_by_u;
      continue;
    }
    const Bounds bounds(block);
    E.setIdentity();
    D.setZero();
    if (bounds.is_fixed()) continue;
    double stiffness = 0;
    if (bounds.has_lower()) stiffness += y[0] / (mine[0] - bounds.lower);
    if (bounds.has_upper()) stiffness += y[1] / (bounds.upper - mine[0]);
    D(0, 0) = 1 / (1 + stiffness);
    E(0, 0) = stiffness * D(0, 0);
  }
}

/// Changes of r and y after which the equations hold to first order, the products being `product`.
void InteriorPoint::find_direction(const ScaledCone& cone, double product) {
  for (int b = 0; b < cone.size(); ++b) {
    const ConeBlock& block = cone.block(b);
    const double* const mine = r_.data() + 3 * b;
    const Eigen::Map<const Vec3> y(y_.data() + 3 * b), error(error_.data() + 3 * b);
    Eigen::Map<Vec3> right(r_change_.data() + 3 * b);
    right.setZero();
    if (is_round(block)) {
      const Vec3 x = to_round(block, mine);
      right = (Vec3(product, 0, 0) - product_by(x) * (y + error)) / (x[0] + y[0]);
      if (is_disk(block)) right = without_first(x, right);
      continue;
    }
    const Bounds bounds(block);
    double force = -u_[at(3 * b)];
    if (bounds.has_lower()) force += product / (mine[0] - bounds.lower);
    if (bounds.has_upper()) force -= product / (bounds.upper - mine[0]);
    if (!bounds.is_fixed()) right[0] = slope_[at(b)](0, 0) * force;
  }
  jacobian_.solve(r_change_.data());
  for (int b = 0; b < cone.size(); ++b) {
    const double* const mine = r_.data() + 3 * b;
    const double change = r_change_[at(3 * b)];
    double* const y = y_.data() + 3 * b;
    double* const y_change = y_change_.data() + 3 * b;
    if (is_round(cone.block(b)) && is_disk(cone.block(b))) {
      const Vec3 x = to_round(cone.block(b), mine);
      const Vec3 dx = change_to_round(cone.block(b), r_change_.data() + 3 * b);
      const Vec3 du = cone.row_times(b, r_change_.data());
      for (int k = 0; k < 2; ++k) y_change[k + 1] = du[k] + error_[at(3 * b + k + 1)];
      const double lacks = product - x.dot(Vec3(y[0], y[1], y[2])) - dx[1] * y[1] - dx[2] * y[2];
      y_change[0] = (lacks - x[1] * y_change[1] - x[2] * y_change[2]) / x[0];
      continue;
    }
    if (is_round(cone.block(b))) {
      Eigen::Map<Vec3> result(y_change);
      result = y_by_u_[at(b)] * cone.row_times(b, r_change_.data());
      result += Eigen::Map<const Vec3>(error_.data() + 3 * b);
      continue;
    }
    const Bounds bounds(cone.block(b));
    if (bounds.is_fixed()) continue;
    if (bounds.has_lower()) {
      y_change[0] = (product - y[0] * change) / (mine[0] - bounds.lower) - y[0];
    }
    if (bounds.has_upper()) {
      y_change[1] = (product + y[1] * change) / (bounds.upper - mine[0]) - y[1];
    }
  }
}

/// How many times the change leads to a bound.
double InteriorPoint::reach_of_change(const ScaledCone& cone) const {
  double result = std::numeric_limits<double>::infinity();
  for (int b = 0; b < cone.size(); ++b) {
    const double* const mine = r_.data() + 3 * b;
    const double* const change = r_change_.data() + 3 * b;
    const double* const y = y_.data() + 3 * b;
    const double* const y_change = y_change_.data() + 3 * b;
    if (is_round(cone.block(b))) {
      const Vec3 x = to_round(cone.block(b), mine), dx = change_to_round(cone.block(b), change);
      result =
          std::min({result, reach(x, dx),
                    reach(Vec3(y[0], y[1], y[2]), Vec3(y_change[0], y_change[1], y_change[2]))});
      continue;
    }
    const Bounds bounds(cone.block(b));
    if (bounds.is_fixed()) continue;
    if (bounds.has_lower()) {
      result =
          std::min({result, reach(mine[0] - bounds.lower, change[0]), reach(y[0], y_change[0])});
    }
    if (bounds.has_upper()) {
      result =
          std::min({result, reach(bounds.upper - mine[0], -change[0]), reach(y[1], y_change[1])});
    }
  }
  return result;
}

ConeTry InteriorPoint::run(const ScaledCone& cone, const MethodLimits& limits, double size,
                           double* r) {
  constexpr double kToBound = 0.95;            // of the way to the nearest bound
  constexpr double kLeast = 0.1, kMost = 0.9;  // of the products after a step
  constexpr double kShort = 0.1, kLong = 0.9, kLeastShare = 0.5;
  ConeTry result{.method = ConeMethod::interior_point};
  begin(cone, r, size);
  double step = 1, share = 1;
  while (best_.residual > limits.tolerance && result.iterations < limits.max_iterations) {
    ++result.iterations;
    const double product = mean_product(cone);
    // With the whole change of |u_T| the matrix is not monotone, and steps may become short; with less of it
    // the way is safe but slow.
    if (step < kShort) share = std::max(kLeastShare, 0.8 * share);
    if (step > kLong) share = 0.5 * (1 + share);
    linearize(cone, share);
    if (!jacobian_.factor(active_, rest_, slope_)) break;
    find_direction(cone, 0);
    const double left = 1 - std::min(1.0, reach_of_change(cone));
    const double aim = step < kShort ? 1 : std::clamp(left * left, kLeast, kMost);
    find_direction(cone, aim * product);
    step = std::min(1.0, kToBound * reach_of_change(cone));
    for (std::size_t i = 0; i < r_.size(); ++i) {
      r_[i] += step * r_change_[i];
      y_[i] += step * y_change_[i];
    }
    cone.velocity(r_.data(), u_.data());
    best_.offer(r_.data(), cone.residual(r_.data(), u_.data()));
  }
  std::copy(best_.r.begin(), best_.r.end(), r);
  result.residual = best_.residual;
  return result;
}

}  // namespace grouser::internal
