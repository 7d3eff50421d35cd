#pragma once

#include <vector>

#include "math/spatial.h"

namespace grouser::internal {

/// Cholesky with diagonal pivoting of a symmetric positive semidefinite matrix. Rows that depend
/// on others (redundant constraints) are found and left out: their unknowns are zero. For a
/// consistent right-hand side the solution is exact all the same.
class PivotedCholesky {
 public:
  /// Reserves for matrices up to `size`; compute() then allocates nothing.
  explicit PivotedCholesky(int size);

  /// Rows are scaled to a unit diagonal first, so that mixed units do not matter; a pivot below
  /// `threshold` counts as zero. Reads the lower triangle of A.
  void compute(const MatX& A, double threshold = 1e-11);
  int rank() const { return rank_; }
  /// x ← A⁺ x.
  void solve(VecX& x) const;

 private:
  int size_ = 0;
  int rank_ = 0;
  MatX L_;
  VecX scale_;
  mutable VecX work_;
  std::vector<int> order_;
};

}  // namespace grouser::internal
