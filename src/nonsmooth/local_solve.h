#pragma once

#include "nonsmooth/cone_laws.h"

/// Internal to nonsmooth.
namespace grouser::internal {

/// The impulse of a single contact: W symmetric positive definite, u = W r + q. Exact up to rounding: sliding
/// is a root in one variable.
Vec3 solve_one_cone(const Mat3& W, const Vec3& q, double mu);

/// The same for a disk, with W and q in the first two rows.
Vec3 solve_one_disk(const Mat3& W, const Vec3& q, double radius);

/// The same for a block of one row with W = w > 0.
inline double solve_one_row(const ConeBlock& block, double w, double q) {
  return project_scalar(-q / w, block);
}

}  // namespace grouser::internal
