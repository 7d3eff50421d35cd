#include "nonsmooth/scaled_cone.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/index.h"

namespace grouser::internal {
namespace {

/// Sum of products with twice the digits of a double; the same bits wherever IEEE 754 holds.
/// Ogita, Rump & Oishi, Accurate sum and dot product, SIAM J. Sci. Comput. 26 (2005), Dot2.
class CompensatedSum {
 public:
  void add_product(double a, double b) {
    const double product = a * b, low = std::fma(a, b, -product);
    const double sum = sum_ + product, part = sum - sum_;
    lost_ += (sum_ - (sum - part)) + (product - part) + low;
    sum_ = sum;
  }
  double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0, lost_ = 0;
};

double mean_diagonal(const ConeMatrix& W, const ConeBlock& block) {
  const int rows = rows_of(block.kind);
  double sum = 0;
  for (int k = 0; k < rows; ++k) sum += W(block.row + k, block.row + k);
  return sum / rows;
}

}  // namespace

void ScaledCone::build(const ConeProblem& problem) {
  blocks_ = problem.blocks;
  scale_.resize(blocks_.size());
  block_of_.resize(at(problem.rows()));
  q_.assign(at(rows()), 0.0);
  for (int b = 0; b < size(); ++b) {
    ConeBlock& block = blocks_[at(b)];
    const double lambda = mean_diagonal(problem.W, block);
    const double s = lambda > 0 ? 1 / std::sqrt(lambda) : 1;
    scale_[at(b)] = s;
    block.lower /= s;
    block.upper /= s;
    for (int k = 0; k < rows_of(block.kind); ++k) {
      block_of_[at(block.row + k)] = b;
      q_[at(3 * b + k)] = s * problem.q[at(block.row + k)];
    }
  }
  q_norm_ = Eigen::Map<const VecX>(problem.q.data(), problem.rows()).norm();
  if (!(q_norm_ > 0)) q_norm_ = 1;
  // Below a few contacts, or where most of W is not zero, ordering the elimination does not pay.
  const std::size_t all = block_of_.size() * block_of_.size();
  dense_ = size() <= kAlwaysDense ||
           (size() <= kFewBlocks && (problem.W.is_dense() || 2 * problem.W.value.size() > all));
  if (dense_) {
    fill_dense(problem.W);
  } else {
    fill_sparse(problem.W);
  }
}

void ScaledCone::fill_dense(const ConeMatrix& W) {
  const int n = rows();
  value_.assign(at(n) * at(n), 0.0);
  diagonal_.resize(blocks_.size());
  Eigen::Map<MatX> mine(value_.data(), n, n);
  const auto put = [&](int i, int j, double value) {
    const int b = block_of_[at(i)], c = block_of_[at(j)];
    mine(3 * b + i - blocks_[at(b)].row, 3 * c + j - blocks_[at(c)].row) =
        scale_[at(b)] * scale_[at(c)] * value;
  };
  for (int j = 0; j < W.size; ++j) {
    if (W.is_dense()) {
      const double* column = W.value.data() + at(j) * at(W.size);
      for (int i = 0; i < W.size; ++i) put(i, j, column[i]);
    } else {
      for (int k = W.start[at(j)]; k < W.start[at(j) + 1]; ++k)
        put(W.column[at(k)], j, W.value[at(k)]);
    }
  }
  for (int b = 0; b < size(); ++b) diagonal_[at(b)] = mine.block<3, 3>(3 * b, 3 * b);
}

void ScaledCone::fill_sparse(const ConeMatrix& W) {
  start_.assign(1, 0);
  column_.clear();
  value_.clear();
  slot_.assign(blocks_.size(),
               -1);  // where the block row being filled has its block of each column
  diagonal_.assign(blocks_.size(), Mat3::Zero());
  for (int b = 0; b < size(); ++b) {
    const ConeBlock& block = blocks_[at(b)];
    const auto each_entry = [&](const auto& use) {
      for (int k = 0; k < rows_of(block.kind); ++k) {
        const int i = block.row + k;
        if (W.is_dense()) {
          for (int j = 0; j < W.size; ++j) {
            const double value = W.value[at(i) * at(W.size) + at(j)];
            if (value != 0 || i == j) use(k, j, value);
          }
        } else {
          for (int e = W.start[at(i)]; e < W.start[at(i) + 1]; ++e)
            use(k, W.column[at(e)], W.value[at(e)]);
        }
      }
    };
    const std::size_t first = column_.size();
    each_entry([&](int, int j, double) {
      const int c = block_of_[at(j)];
      if (slot_[at(c)] >= 0) return;
      slot_[at(c)] = 0;
      column_.push_back(c);
    });
    std::sort(column_.begin() + static_cast<std::ptrdiff_t>(first), column_.end());
    for (std::size_t e = first; e < column_.size(); ++e)
      slot_[at(column_[e])] = static_cast<int>(e);
    value_.resize(9 * column_.size(), 0.0);
    each_entry([&](int k, int j, double value) {
      const int c = block_of_[at(j)];
      value_[9 * at(slot_[at(c)]) + at(k + 3 * (j - blocks_[at(c)].row))] =
          scale_[at(b)] * scale_[at(c)] * value;
    });
    if (slot_[at(b)] >= 0) {
      diagonal_[at(b)] = Eigen::Map<const Mat3>(value_.data() + 9 * slot_[at(b)]);
    }
    for (std::size_t e = first; e < column_.size(); ++e) slot_[at(column_[e])] = -1;
    start_.push_back(static_cast<int>(column_.size()));
  }
}

Vec3 ScaledCone::row_times(int b, const double* r) const {
  Vec3 sum = Vec3::Zero();
  if (dense_) {
    const double* w = value_.data() + 3 * b;
    for (int j = 0; j < rows(); ++j, w += rows()) {
      sum[0] += w[0] * r[j];
      sum[1] += w[1] * r[j];
      sum[2] += w[2] * r[j];
    }
    return sum;
  }
  const double* w = value_.data() + 9 * at(start_[at(b)]);
  for (const int c : neighbours(b)) {
    const double* x = r + 3 * c;
    for (int k = 0; k < 3; ++k) sum[k] += w[k] * x[0] + w[k + 3] * x[1] + w[k + 6] * x[2];
    w += 9;
  }
  return sum;
}

/// In twice the digits, for impulses so large that their velocities all but cancel: light bodies that bear heavy ones.
void ScaledCone::velocity_of_large(const double* r, double* u) const {
  for (int b = 0; b < size(); ++b) {
    std::array<CompensatedSum, 3> sum;
    for (std::size_t k = 0; k < 3; ++k) sum[k].add_product(1, q_[at(3 * b) + k]);
    if (dense_) {
      const double* w = value_.data() + 3 * b;
      for (int j = 0; j < rows(); ++j, w += rows()) {
        for (std::size_t k = 0; k < 3; ++k) sum[k].add_product(w[k], r[j]);
      }
    } else {
      const double* w = value_.data() + 9 * at(start_[at(b)]);
      for (const int c : neighbours(b)) {
        for (std::size_t j = 0; j < 3; ++j, w += 3) {
          for (std::size_t k = 0; k < 3; ++k) sum[k].add_product(w[k], r[at(3 * c) + j]);
        }
      }
    }
    for (std::size_t k = 0; k < 3; ++k) u[at(3 * b) + k] = sum[k].value();
  }
}

void ScaledCone::velocity(const double* r, double* u) const {
  // W's diagonal is about 1: beyond this, rounding would leave less than four digits of a residual of 1e-8.
  constexpr double kLarge = 1e4;  // velocities that single impulses give, over free ones
  double most = 0;
  for (int b = 0; b < size(); ++b) {
    const double *x = r + 3 * b, s = scale_[at(b)];
    most = std::max({most, std::abs(x[0]) / s, std::abs(x[1]) / s, std::abs(x[2]) / s});
  }
  if (most > kLarge * q_norm_) {
    velocity_of_large(r, u);
    return;
  }
  if (!dense_) {
    for (int b = 0; b < size(); ++b)
      Eigen::Map<Vec3>(u + 3 * b) = free_velocity(b) + row_times(b, r);
    return;
  }
  Eigen::Map<VecX> result(u, rows());
  result = Eigen::Map<const VecX>(q_.data(), rows());
  for (int j = 0; j < rows(); ++j) {
    if (r[j] != 0) result += r[j] * dense().col(j);
  }
}

double ScaledCone::residual(const double* r, const double* u) const {
  double sum = 0;
  for (int b = 0; b < size(); ++b) {
    const double s = scale_[at(b)];
    sum += natural_map_squared(block(b), r + 3 * b, u + 3 * b, 1) / (s * s);
  }
  return std::sqrt(sum) / q_norm_;
}

void ScaledCone::to_scaled(std::span<const double> given, std::vector<double>& r) const {
  r.assign(at(rows()), 0.0);
  for (int b = 0; b < size(); ++b) {
    for (int k = 0; k < rows_of(block(b).kind); ++k) {
      r[at(3 * b + k)] = given[at(block(b).row + k)] / scale_[at(b)];
    }
  }
}

void ScaledCone::from_scaled(const std::vector<double>& r, std::span<double> given) const {
  for (int b = 0; b < size(); ++b) {
    for (int k = 0; k < rows_of(block(b).kind); ++k) {
      given[at(block(b).row + k)] = r[at(3 * b + k)] * scale_[at(b)];
    }
  }
}

}  // namespace grouser::internal
