#include "nonsmooth/dense_lu.h"

#include <cmath>
#include <cstddef>
#include <utility>

#include "math/spatial.h"

namespace grouser::internal {
namespace {

using Block = Eigen::Map<MatX, 0, Eigen::OuterStride<>>;

Block block(double* a, int ld, int rows, int columns) {
  return {a, rows, columns, Eigen::OuterStride<>(ld)};
}

double* column(double* a, int ld, int j) { return a + static_cast<std::ptrdiff_t>(j) * ld; }

/// C -= A B with C m × n, A m × k.
void subtract_product(double* c, const double* a, const double* b, int ld, int m, int n, int k) {
  if (m == 0 || n == 0 || k == 0) return;
  const auto A = block(const_cast<double*>(a), ld, m, k);
  const auto B = block(const_cast<double*>(b), ld, k, n);
  if (m + n + k > 40) {
    block(c, ld, m, n).noalias() -= A * B;
    return;
  }
  for (int j = 0; j < n; ++j) {
    double* const cj = c + static_cast<std::ptrdiff_t>(j) * ld;
    for (int l = 0; l < k; ++l) {
      const double factor = b[static_cast<std::ptrdiff_t>(j) * ld + l];
      const double* const al = a + static_cast<std::ptrdiff_t>(l) * ld;
      for (int i = 0; i < m; ++i) cj[i] -= factor * al[i];
    }
  }
}

constexpr int kNarrow = 16;
using Lane8 = double __attribute__((vector_size(64)));
union Narrow {
  double entry[kNarrow];
  Lane8 lane[2];
};

/// B ← L⁻¹ B, L unit lower triangular k × k, B k × n.
void solve_lower(const double* l, double* b, int ld, int k, int n) {
  if (k > kNarrow) {
    const int half = k / 2;
    solve_lower(l, b, ld, half, n);
    subtract_product(b + half, l + half, b, ld, k - half, n, half);
    solve_lower(l + static_cast<std::ptrdiff_t>(half) * ld + half, b + half, ld, k - half, n);
    return;
  }
  if (n <= kNarrow) {
    for (int j = 0; j < n; ++j) {
      double* const bj = column(b, ld, j);
      for (int i = 0; i < k; ++i) {
        const double* const li = l + static_cast<std::ptrdiff_t>(i) * ld;
        for (int r = i + 1; r < k; ++r) bj[r] -= bj[i] * li[r];
      }
    }
    return;
  }
  // L⁻¹ in full, padded with zeros: products of fixed length are faster than short substitutions.
  Narrow inverse[kNarrow] = {};  // by columns
  for (int c = 0; c < k; ++c) {
    inverse[c].entry[c] = 1;
    for (int i = c; i < k; ++i) {
      const double* const li = l + static_cast<std::ptrdiff_t>(i) * ld;
      for (int r = i + 1; r < k; ++r) inverse[c].entry[r] -= inverse[c].entry[i] * li[r];
    }
  }
  for (int j = 0; j < n; ++j) {
    double* const bj = column(b, ld, j);
    Lane8 low = {}, high = {};
    for (int i = 0; i < k; ++i) {
      low += bj[i] * inverse[i].lane[0];
      high += bj[i] * inverse[i].lane[1];
    }
    Narrow sum;
    sum.lane[0] = low;
    sum.lane[1] = high;
    for (int r = 0; r < k; ++r) bj[r] = sum.entry[r];
  }
}

void exchange_rows(double* a, int ld, int columns, const int* exchanged, int count) {
  for (int j = 0; j < columns; ++j) {
    double* const aj = column(a, ld, j);
    for (int k = 0; k < count; ++k) std::swap(aj[k], aj[exchanged[k]]);
  }
}

bool factor_narrow(double* a, int ld, int rows, int columns, int eligible, int* exchanged) {
  for (int k = 0; k < columns; ++k) {
    double* const ak = column(a, ld, k);
    int pivot = k;
    for (int i = k + 1; i < eligible; ++i) {
      if (std::abs(ak[i]) > std::abs(ak[pivot])) pivot = i;
    }
    exchanged[k] = pivot;
    if (!(std::abs(ak[pivot]) > 0)) return false;
    if (pivot != k) {
      for (int j = 0; j < columns; ++j) std::swap(column(a, ld, j)[k], column(a, ld, j)[pivot]);
    }
    const double inverse = 1 / ak[k];
    for (int i = k + 1; i < rows; ++i) ak[i] *= inverse;
    for (int j = k + 1; j < columns; ++j) {
      double* const aj = column(a, ld, j);
      const double factor = aj[k];
      for (int i = k + 1; i < rows; ++i) aj[i] -= factor * ak[i];
    }
  }
  return true;
}

/// LU of rows × columns, rows >= columns, the left half before the right one, so that most of the work is
/// products of matrices. S. Toledo, SIAM J. Matrix Anal. Appl. 18 (1997).
bool factor_panel(double* a, int ld, int rows, int columns, int eligible, int* exchanged) {
  // Small matrices are done before anything else pays.
  if (columns <= 12 || rows <= 24) return factor_narrow(a, ld, rows, columns, eligible, exchanged);
  const int left = columns / 2, right = columns - left;
  if (!factor_panel(a, ld, rows, left, eligible, exchanged)) return false;
  double* const upper = column(a, ld, left);
  exchange_rows(upper, ld, right, exchanged, left);
  solve_lower(a, upper, ld, left, right);
  subtract_product(upper + left, a + left, upper, ld, rows - left, right, left);
  if (!factor_panel(upper + left, ld, rows - left, right, eligible - left, exchanged + left)) {
    return false;
  }
  exchange_rows(a + left, ld, left, exchanged + left, right);
  for (int k = left; k < columns; ++k) exchanged[k] += left;
  return true;
}

}  // namespace

bool eliminate(double* a, int ld, int n, int pivots, int* exchanged) {
  if (!factor_panel(a, ld, n, pivots, pivots, exchanged)) return false;
  const int rest = n - pivots;
  double* const upper = column(a, ld, pivots);
  exchange_rows(upper, ld, rest, exchanged, pivots);
  solve_lower(a, upper, ld, pivots, rest);
  subtract_product(upper + pivots, a + pivots, upper, ld, rest, rest, pivots);
  return true;
}

void forward_solve(const double* a, int ld, int n, int pivots, const int* exchanged, double* x) {
  for (int k = 0; k < pivots; ++k) std::swap(x[k], x[exchanged[k]]);
  for (int k = 0; k < pivots; ++k) {
    const double* const ak = a + static_cast<std::ptrdiff_t>(k) * ld;
    for (int i = k + 1; i < n; ++i) x[i] -= x[k] * ak[i];
  }
}

void backward_solve(const double* a, int ld, int n, int pivots, double* x) {
  for (int k = n - 1; k >= 0; --k) {
    const double* const ak = a + static_cast<std::ptrdiff_t>(k) * ld;
    if (k < pivots) x[k] /= ak[k];
    for (int i = 0; i < std::min(k, pivots); ++i) x[i] -= x[k] * ak[i];
  }
}

}  // namespace grouser::internal
