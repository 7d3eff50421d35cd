#pragma once

#include <cmath>

namespace grouser::internal {

/// Cholesky factors L Lᵀ of a symmetric positive definite matrix of size n <= N, on the stack.
/// A matrix that is not positive definite gives NaN in the solution, which callers' checks for
/// finite numbers catch.
template <int N>
class SmallCholesky {
 public:
  /// Reads the lower triangle of A.
  void compute(const double (&A)[N][N], int n) {
    n_ = n;
    for (int j = 0; j < n; ++j) {
      double diagonal = A[j][j];
      for (int k = 0; k < j; ++k) diagonal -= L_[j][k] * L_[j][k];
      const double root = std::sqrt(diagonal);
      inverse_[j] = 1 / root;
      for (int i = j + 1; i < n; ++i) {
        double sum = A[i][j];
        for (int k = 0; k < j; ++k) sum -= L_[i][k] * L_[j][k];
        L_[i][j] = sum * inverse_[j];
      }
    }
  }

  /// Overwrites x with A⁻¹ x.
  void solve(double* x) const {
    for (int i = 0; i < n_; ++i) {
      for (int k = 0; k < i; ++k) x[i] -= L_[i][k] * x[k];
      x[i] *= inverse_[i];
    }
    for (int i = n_ - 1; i >= 0; --i) {
      for (int k = i + 1; k < n_; ++k) x[i] -= L_[k][i] * x[k];
      x[i] *= inverse_[i];
    }
  }

 private:
  int n_ = 0;
  double L_[N][N];     // below the diagonal
  double inverse_[N];  // of the diagonal
};

}  // namespace grouser::internal
