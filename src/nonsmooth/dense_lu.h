#pragma once

#include <vector>

#include "math/spatial.h"

/// Internal to nonsmooth.
namespace grouser {

/// LU factors with row exchanges of a general matrix, in place and without allocation once sized.
class DenseLu {
 public:
  /// The matrix to fill, n × n; whatever was in it is lost.
  Eigen::Map<MatX> resize(int n);
  /// Overwrites the matrix by its factors. False if a pivot is zero or not a number.
  bool factor();
  /// x ← A⁻¹ x.
  void solve(double* x) const;

 private:
  int n_ = 0;
  std::vector<double> a_;  // by columns
  std::vector<int> pivot_;
};

}  // namespace grouser
