#include "nonsmooth/cone_jacobian.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "core/rng.h"
#include "lab/cone_samples.h"
#include "nonsmooth/dense_lu.h"

namespace grouser::internal {
namespace {

Mat3 random_matrix(CounterRng& rng) {
  Mat3 m;
  for (int k = 0; k < 9; ++k) m(k) = rng.uniform(-1, 1);
  return m;
}

TEST(DenseLu, EliminationAgreesWithEigen) {
  CounterRng rng(7);
  for (const auto& [n, pivots] : {std::pair(1, 1), {18, 18}, {30, 12}, {90, 40}, {150, 150}}) {
    MatX A(n, n);
    for (int k = 0; k < n * n; ++k) A(k) = rng.uniform(-1, 1);
    MatX factors = A;
    std::vector<int> exchanged(static_cast<std::size_t>(pivots));
    ASSERT_TRUE(eliminate(factors.data(), n, n, pivots, exchanged.data()));
    const int rest = n - pivots;
    MatX schur;
    if (rest > 0) {
      const auto pivot_block = A.topLeftCorner(pivots, pivots).partialPivLu();
      schur = A.bottomRightCorner(rest, rest) -
              A.bottomLeftCorner(rest, pivots) * pivot_block.solve(A.topRightCorner(pivots, rest));
      // Measured 4e-13.
      EXPECT_LE((factors.bottomRightCorner(rest, rest) - schur).norm(), 1e-11 * (1 + schur.norm()));
    }
    VecX x = VecX::LinSpaced(n, 1, 2), y = A * x;
    forward_solve(factors.data(), n, n, pivots, exchanged.data(), y.data());
    if (rest > 0) y.tail(rest) = schur.partialPivLu().solve(VecX(y.tail(rest)));
    backward_solve(factors.data(), n, n, pivots, y.data());
    EXPECT_LE((y - x).norm(), 1e-11 * x.norm()) << n;  // measured 1e-12
  }
}

TEST(DenseLu, SingularMatrixIsReported) {
  MatX A = MatX::Zero(3, 3);
  std::vector<int> exchanged(3);
  EXPECT_FALSE(eliminate(A.data(), 3, 3, 3, exchanged.data()));
}

/// Solves with J = E + D W by blocks and by Eigen, on the active blocks.
double difference_from_eigen(const ConeProblem& problem, bool all_active) {
  ScaledCone cone;
  cone.build(problem);
  CounterRng rng(3);
  const std::size_t blocks = static_cast<std::size_t>(cone.size());
  std::vector<Mat3> E(blocks), D(blocks);
  std::vector<char> active(blocks, 1);
  for (std::size_t b = 0; b < blocks; ++b) {
    E[b] = 2 * Mat3::Identity() + 0.1 * random_matrix(rng);
    D[b] = Mat3::Identity() + 0.1 * random_matrix(rng);
    if (!all_active) active[b] = rng.uniform() < 0.6;
  }
  MatX J = MatX::Identity(cone.rows(), cone.rows());
  std::vector<double> column(static_cast<std::size_t>(cone.rows()), 0.0);
  for (int j = 0; j < cone.rows(); ++j) {
    if (!active[static_cast<std::size_t>(j / 3)]) continue;
    if (j % 3 >= rows_of(cone.block(j / 3).kind)) continue;
    column[static_cast<std::size_t>(j)] = 1;
    for (int b = 0; b < cone.size(); ++b) {
      if (!active[static_cast<std::size_t>(b)]) continue;
      const Vec3 entry = D[static_cast<std::size_t>(b)] * cone.row_times(b, column.data());
      const int rows = rows_of(cone.block(b).kind);
      J.block(3 * b, j, rows, 1) = entry.head(rows);
      if (j / 3 == b)
        J.block(3 * b, j, rows, 1) += E[static_cast<std::size_t>(b)].col(j % 3).head(rows);
    }
    column[static_cast<std::size_t>(j)] = 0;
  }
  VecX right(cone.rows());
  for (double& entry : right) entry = rng.uniform(-1, 1);
  VecX x = right;
  ConeJacobian jacobian;
  jacobian.set_cone(cone);
  EXPECT_TRUE(jacobian.factor(active, E, D));
  jacobian.solve(x.data());
  return (x - J.partialPivLu().solve(right)).norm() / x.norm();
}

TEST(ConeJacobian, DenseAndSparseAgreeWithEigen) {
  // Measured 6e-16 at most.
  EXPECT_LE(difference_from_eigen(make_cone_sample(0).problem, true), 1e-14);  // rover, dense
  EXPECT_LE(difference_from_eigen(make_cone_sample(7).problem, true), 1e-14);  // heap of 147
  EXPECT_LE(difference_from_eigen(make_cone_sample(7).problem, false), 1e-14);
  EXPECT_LE(difference_from_eigen(make_cone_sample(45).problem, true), 1e-14);  // pyramid of 256
  EXPECT_LE(difference_from_eigen(make_cone_sample(45).problem, false), 1e-14);
}

TEST(ConeJacobian, SmallBlocksAmongContacts) {
  for (const int cones : {10, 80}) {  // dense and sparse
    ConeProblem problem;
    for (int k = 0; k < cones; ++k) {
      problem.add_cone(0.5);
      if (k % 3 == 0) problem.add_bilateral();
      if (k % 4 == 0) problem.add_box(-1, 1);
      if (k % 5 == 0) problem.add_disk(1);
    }
    const int n = problem.blocks.back().row + rows_of(problem.blocks.back().kind);
    problem.W.set_dense(n);
    for (int i = 0; i < n; ++i) {
      for (int j = std::max(0, i - 5); j < std::min(n, i + 6); ++j) {
        problem.W.dense()(i, j) = i == j ? 3 : 0.1 * std::cos(i + j);
      }
    }
    problem.q.assign(static_cast<std::size_t>(n), 1.0);
    EXPECT_LE(difference_from_eigen(problem, true), 1e-14);  // measured 6e-16
    EXPECT_LE(difference_from_eigen(problem, false), 1e-14);
  }
}

}  // namespace
}  // namespace grouser::internal
