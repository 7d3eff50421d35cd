#include "math/pivoted_cholesky.h"

#include <cmath>
#include <utility>

namespace grouser::internal {

PivotedCholesky::PivotedCholesky(int size)
    : L_(size, size), scale_(size), work_(size), order_(static_cast<std::size_t>(size)) {}

void PivotedCholesky::compute(const MatX& A, double threshold) {
  size_ = static_cast<int>(A.rows());
  rank_ = 0;
  for (int i = 0; i < size_; ++i) {
    order_[static_cast<std::size_t>(i)] = i;
    scale_[i] = A(i, i) > 0 ? 1 / std::sqrt(A(i, i)) : 0;
  }
  for (int j = 0; j < size_; ++j) {
    for (int i = j; i < size_; ++i) L_(i, j) = A(i, j) * scale_[i] * scale_[j];
  }
  for (int k = 0; k < size_; ++k) {
    int pivot = k;
    for (int i = k + 1; i < size_; ++i) {
      if (L_(i, i) > L_(pivot, pivot)) pivot = i;
    }
    if (!(L_(pivot, pivot) > threshold)) break;
    // Exchange rows and columns k and pivot of the lower triangle.
    if (pivot != k) {
      std::swap(order_[static_cast<std::size_t>(k)], order_[static_cast<std::size_t>(pivot)]);
      std::swap(L_(k, k), L_(pivot, pivot));
      for (int j = 0; j < k; ++j) std::swap(L_(k, j), L_(pivot, j));
      for (int i = k + 1; i < pivot; ++i) std::swap(L_(i, k), L_(pivot, i));
      for (int i = pivot + 1; i < size_; ++i) std::swap(L_(i, k), L_(i, pivot));
    }
    const double root = std::sqrt(L_(k, k));
    L_(k, k) = root;
    for (int i = k + 1; i < size_; ++i) L_(i, k) /= root;
    for (int j = k + 1; j < size_; ++j) {
      for (int i = j; i < size_; ++i) L_(i, j) -= L_(i, k) * L_(j, k);
    }
    ++rank_;
  }
}

void PivotedCholesky::solve(VecX& x) const {
  for (int i = 0; i < rank_; ++i) {
    const int row = order_[static_cast<std::size_t>(i)];
    double sum = x[row] * scale_[row];
    for (int k = 0; k < i; ++k) sum -= L_(i, k) * work_[k];
    work_[i] = sum / L_(i, i);
  }
  for (int i = rank_ - 1; i >= 0; --i) {
    double sum = work_[i];
    for (int k = i + 1; k < rank_; ++k) sum -= L_(k, i) * work_[k];
    work_[i] = sum / L_(i, i);
  }
  x.head(size_).setZero();
  for (int i = 0; i < rank_; ++i) {
    const int row = order_[static_cast<std::size_t>(i)];
    x[row] = work_[i] * scale_[row];
  }
}

}  // namespace grouser::internal
