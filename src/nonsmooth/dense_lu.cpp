#include "nonsmooth/dense_lu.h"

#include <cmath>
#include <utility>

namespace grouser {

Eigen::Map<MatX> DenseLu::resize(int n) {
  n_ = n;
  a_.resize(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  pivot_.resize(static_cast<std::size_t>(n));
  return {a_.data(), n, n};
}

bool DenseLu::factor() {
  const int n = n_;
  double* const a = a_.data();
  const auto column = [a, n](int j) { return a + static_cast<std::ptrdiff_t>(j) * n; };
  for (int k = 0; k < n; ++k) {
    double* const ck = column(k);
    int pivot = k;
    for (int i = k + 1; i < n; ++i) {
      if (std::abs(ck[i]) > std::abs(ck[pivot])) pivot = i;
    }
    pivot_[static_cast<std::size_t>(k)] = pivot;
    if (!(std::abs(ck[pivot]) > 0)) return false;
    if (pivot != k) {
      for (int j = 0; j < n; ++j) std::swap(column(j)[k], column(j)[pivot]);
    }
    const double inverse = 1 / ck[k];
    for (int i = k + 1; i < n; ++i) ck[i] *= inverse;
    for (int j = k + 1; j < n; ++j) {
      double* const cj = column(j);
      const double factor = cj[k];
      if (factor == 0) continue;
      for (int i = k + 1; i < n; ++i) cj[i] -= factor * ck[i];
    }
  }
  return true;
}

void DenseLu::solve(double* x) const {
  const int n = n_;
  for (int k = 0; k < n; ++k) std::swap(x[k], x[pivot_[static_cast<std::size_t>(k)]]);
  for (int k = 0; k < n; ++k) {
    const double* const ck = a_.data() + static_cast<std::ptrdiff_t>(k) * n;
    for (int i = k + 1; i < n; ++i) x[i] -= x[k] * ck[i];
  }
  for (int k = n - 1; k >= 0; --k) {
    const double* const ck = a_.data() + static_cast<std::ptrdiff_t>(k) * n;
    x[k] /= ck[k];
    for (int i = 0; i < k; ++i) x[i] -= x[k] * ck[i];
  }
}

}  // namespace grouser
