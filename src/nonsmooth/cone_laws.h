#pragma once

#include <algorithm>
#include <cmath>

#include "nonsmooth/cone_problem.h"

/// Internal to nonsmooth: what a single block allows.
namespace grouser::internal {

/// Nearest point of the second-order cone |x_T| <= μ x_N.
inline Vec3 project_cone(const Vec3& x, double mu) {
  const double tangent = std::sqrt(x[1] * x[1] + x[2] * x[2]);
  if (mu * tangent <= -x[0]) return Vec3::Zero();  // first: without friction x may be on its axis
  if (tangent <= mu * x[0]) return x;
  const double normal = (x[0] + mu * tangent) / (1 + mu * mu);
  const double shrink = mu * normal / tangent;
  return {normal, shrink * x[1], shrink * x[2]};
}

/// Nearest point of the disk |x| <= radius.
inline Vec2 project_disk(const Vec2& x, double radius) {
  const double size = std::sqrt(x[0] * x[0] + x[1] * x[1]);
  return size <= radius ? x : Vec2(radius / size * x);
}

inline double project_scalar(double x, const ConeBlock& block) {
  switch (block.kind) {
    case BlockKind::unilateral:
      return std::max(0.0, x);
    case BlockKind::box:
      return std::clamp(x, block.lower, block.upper);
    default:
      return x;
  }
}

/// Nearest admissible impulse of a block in three rows.
inline Vec3 project_block(const ConeBlock& block, const Vec3& x) {
  if (block.kind == BlockKind::cone) return project_cone(x, block.mu);
  if (block.kind == BlockKind::disk) {
    const Vec2 p = project_disk(x.head<2>(), block.upper);
    return {p[0], p[1], 0};
  }
  return {project_scalar(x[0], block), 0, 0};
}

/// |r - P(r - ρ û)|² of one block with impulse r and velocity u.
inline double natural_map_squared(const ConeBlock& block, const double* r, const double* u,
                                  double rho) {
  if (block.kind == BlockKind::disk) {
    const Vec2 impulse(r[0], r[1]);
    return (impulse - project_disk(impulse - rho * Vec2(u[0], u[1]), block.upper)).squaredNorm();
  }
  if (block.kind != BlockKind::cone) {
    const double e = r[0] - project_scalar(r[0] - rho * u[0], block);
    return e * e;
  }
  const Vec3 impulse(r[0], r[1], r[2]);
  const Vec3 velocity(u[0] + block.mu * std::sqrt(u[1] * u[1] + u[2] * u[2]), u[1], u[2]);
  return (impulse - project_cone(impulse - rho * velocity, block.mu)).squaredNorm();
}

}  // namespace grouser::internal
