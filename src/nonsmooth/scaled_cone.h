#pragma once

#include <span>
#include <vector>

#include "nonsmooth/cone_laws.h"
#include "nonsmooth/cone_problem.h"

/// Internal to nonsmooth: the problem as the methods see it.
namespace grouser::internal {

/// A cone problem in other units for each block, r = s r', u = u' / s, such that the mean of each block's
/// diagonal of W is one. Cones stay what they are, and 1 is a sensible ρ everywhere.
/// Every block has three rows; what a block of one row does not use is zero. W is dense if the blocks are few,
/// or not many and most of it is not zero; else compressed rows of 3 × 3 blocks.
class ScaledCone {
 public:
  static constexpr int kAlwaysDense = 10, kFewBlocks = 60;

  void build(const ConeProblem& problem);

  int size() const { return static_cast<int>(blocks_.size()); }
  int rows() const { return 3 * size(); }
  bool is_dense() const { return dense_; }
  /// Whether most of W is not zero, as where most contacts are those of one body.
  bool is_full() const {
    const std::size_t all = 9 * blocks_.size() * blocks_.size();
    return dense_ || 2 * value_.size() > all;
  }
  const ConeBlock& block(int b) const { return blocks_[static_cast<std::size_t>(b)]; }
  /// Dense only.
  Eigen::Map<const MatX> dense() const { return {value_.data(), rows(), rows()}; }
  /// Sparse only: the blocks of row b are in columns neighbours(b), ascending; entry(b, k) is the k-th of them.
  std::span<const int> neighbours(int b) const {
    const std::size_t first = static_cast<std::size_t>(start_[static_cast<std::size_t>(b)]);
    const std::size_t last = static_cast<std::size_t>(start_[static_cast<std::size_t>(b) + 1]);
    return {column_.data() + first, last - first};
  }
  Eigen::Map<const Mat3> entry(int b, int k) const {
    return Eigen::Map<const Mat3>(value_.data() + 9 * (start_[static_cast<std::size_t>(b)] + k));
  }
  const Mat3& diagonal(int b) const { return diagonal_[static_cast<std::size_t>(b)]; }
  Vec3 free_velocity(int b) const { return Eigen::Map<const Vec3>(q_.data() + 3 * b); }

  /// W r of block b.
  Vec3 row_times(int b, const double* r) const;
  /// u = W r + q.
  void velocity(const double* r, double* u) const;
  /// cone_residual of the problem as given.
  double residual(const double* r, const double* u) const;

  /// Impulses in the units of the problem as given, and back.
  void to_scaled(std::span<const double> given, std::vector<double>& r) const;
  void from_scaled(const std::vector<double>& r, std::span<double> given) const;

 private:
  void velocity_of_large(const double* r, double* u) const;
  void fill_dense(const ConeMatrix& W);
  void fill_sparse(const ConeMatrix& W);

  bool dense_ = true;
  double q_norm_ = 1;              // |q| of the problem as given, 1 if that is zero [m/s]
  std::vector<ConeBlock> blocks_;  // `row` is that of the problem as given
  std::vector<double> scale_;      // s of each block [kg^½]
  std::vector<int> block_of_;      // of each row as given
  std::vector<double> q_, value_;
  std::vector<int> start_, column_, slot_;
  std::vector<Mat3> diagonal_;
};

}  // namespace grouser::internal
