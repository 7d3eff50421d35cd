#include "nonsmooth/scaled_cone.h"

namespace grouser {
namespace {

double mean_diagonal(const ConeMatrix& W, const ConeBlock& block) {
  const int rows = rows_of(block.kind);
  double sum = 0;
  for (int k = 0; k < rows; ++k) sum += W(block.row + k, block.row + k);
  return sum / rows;
}

}  // namespace

void ScaledCone::build(const ConeProblem& problem) {
  const std::size_t n = static_cast<std::size_t>(problem.rows());
  blocks = problem.blocks;
  q.resize(n);
  scale.resize(blocks.size());
  row_scale_.resize(n);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    ConeBlock& block = blocks[b];
    const double lambda = mean_diagonal(problem.W, block);
    const double s = lambda > 0 ? 1 / std::sqrt(lambda) : 1;
    scale[b] = s;
    block.lower /= s;
    block.upper /= s;
    for (int k = 0; k < rows_of(block.kind); ++k) {
      const std::size_t row = static_cast<std::size_t>(block.row + k);
      row_scale_[row] = s;
      q[row] = s * problem.q[row];
    }
  }
  q_norm = Eigen::Map<const VecX>(problem.q.data(), problem.rows()).norm();
  if (!(q_norm > 0)) q_norm = 1;
  scale_matrix(problem.W);
}

void ScaledCone::scale_matrix(const ConeMatrix& given) {
  const Eigen::Map<const VecX> s(row_scale_.data(), given.size);
  if (given.is_dense()) {
    W.size = given.size;
    W.start.clear();
    W.column.clear();
    W.value.resize(given.value.size());
    for (int j = 0; j < W.size; ++j) {
      W.dense().col(j) = s[j] * given.dense().col(j).cwiseProduct(s);
    }
    return;
  }
  const bool to_dense = given.size <= kDenseRows;
  if (to_dense) {
    W.set_dense(given.size);
  } else {
    W = given;
  }
  for (int i = 0; i < given.size; ++i) {
    const std::size_t row = static_cast<std::size_t>(i);
    for (int k = given.start[row]; k < given.start[row + 1]; ++k) {
      const std::size_t entry = static_cast<std::size_t>(k);
      const int j = given.column[entry];
      const double value = s[i] * s[j] * given.value[entry];
      if (to_dense) {
        W.dense()(j, i) = value;
      } else {
        W.value[entry] = value;
      }
    }
  }
}

void ScaledCone::velocity(const double* r, double* u) const {
  const Eigen::Map<const VecX> impulse(r, rows()), free(q.data(), rows());
  Eigen::Map<VecX> result(u, rows());
  if (W.is_dense()) {
    result = free;
    for (int j = 0; j < rows(); ++j) result += impulse[j] * W.dense().col(j);
    return;
  }
  for (int i = 0; i < rows(); ++i) result[i] = free[i] + W.row_times(i, r);
}

double ScaledCone::residual(const double* r, const double* u) const {
  double sum = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const double s = scale[b];
    const int row = blocks[b].row;
    sum += natural_map_squared(blocks[b], r + row, u + row, 1) / (s * s);
  }
  return std::sqrt(sum) / q_norm;
}

}  // namespace grouser
