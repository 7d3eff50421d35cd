#include "math/pivoted_cholesky.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include "core/rng.h"
#include "support/allocation_count.h"

namespace grouser::internal {
namespace {

MatX random_matrix(CounterRng& rng, int rows, int columns) {
  MatX A(rows, columns);
  for (double& entry : A.reshaped()) entry = rng.normal();
  return A;
}

VecX random_vector(CounterRng& rng, int size) { return random_matrix(rng, size, 1); }

/// B Bᵀ has rank `rank` with certainty for normal deviates.
MatX random_semidefinite(CounterRng& rng, int size, int rank) {
  const MatX B = random_matrix(rng, size, rank);
  return B * B.transpose();
}

double relative(const VecX& actual, const VecX& expected) {
  return (actual - expected).cwiseAbs().maxCoeff() / expected.cwiseAbs().maxCoeff();
}

TEST(PivotedCholesky, HandValue) {
  MatX A(2, 2);
  A << 4, 2, 2, 3;
  VecX x(2);
  x << 8, 8;  // A (1, 2)
  PivotedCholesky factor(2);
  factor.compute(A);
  factor.solve(x);
  EXPECT_EQ(factor.rank(), 2);
  EXPECT_NEAR(x[0], 1, 1e-14);  // measured 3e-16
  EXPECT_NEAR(x[1], 2, 1e-14);  // measured 5e-16
}

TEST(PivotedCholesky, EqualsEigenForDefiniteMatrices) {
  CounterRng rng(1);
  PivotedCholesky factor(12);
  for (int size = 1; size <= 12; ++size) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      const MatX A = random_semidefinite(rng, size, size + 3);
      const VecX b = random_vector(rng, size);
      VecX x = b;
      factor.compute(A);
      factor.solve(x);
      EXPECT_EQ(factor.rank(), size);
      EXPECT_NEAR(relative(x, A.llt().solve(b)), 0, 1e-12);  // measured 3e-14
    }
  }
}

TEST(PivotedCholesky, SolvesConsistentSystemsOfAnyRank) {
  CounterRng rng(2);
  PivotedCholesky factor(10);
  for (int rank = 1; rank < 10; ++rank) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      const MatX A = random_semidefinite(rng, 10, rank);
      const VecX b = A * random_vector(rng, 10);
      VecX x = b;
      factor.compute(A);
      factor.solve(x);
      EXPECT_EQ(factor.rank(), rank);
      EXPECT_EQ((x.array() == 0).count(), 10 - rank);  // dependent rows are left out
      EXPECT_NEAR(relative(A * x, b), 0, 1e-12);       // measured 5e-15
    }
  }
}

// Rows in metres beside rows in radians per ton: D A D has the rank of A and the solution D⁻¹ x.
TEST(PivotedCholesky, MixedUnitsDoNotMatter) {
  CounterRng rng(3);
  PivotedCholesky factor(8);
  for (int repeat = 0; repeat < 50; ++repeat) {
    const MatX A = random_semidefinite(rng, 8, 5);
    VecX scale(8);
    for (double& entry : scale) entry = std::pow(10, rng.uniform(-6, 6));
    const VecX b = A * random_vector(rng, 8);
    VecX x = scale.cwiseProduct(b);
    factor.compute(scale.asDiagonal() * A * scale.asDiagonal());
    factor.solve(x);
    EXPECT_EQ(factor.rank(), 5);
    EXPECT_NEAR(relative(A * scale.cwiseProduct(x), b), 0, 1e-12);  // measured 2e-15
  }
}

TEST(PivotedCholesky, EmptyRowsAreLeftOut) {
  MatX A = MatX::Zero(3, 3);
  A(1, 1) = 2;
  VecX x = VecX::Ones(3);
  PivotedCholesky factor(3);
  factor.compute(A);
  factor.solve(x);
  EXPECT_EQ(factor.rank(), 1);
  EXPECT_NEAR((x - Vec3(0, 0.5, 0)).norm(), 0, 1e-14);  // measured 2e-16
  factor.compute(MatX::Zero(3, 3));
  factor.solve(x);
  EXPECT_EQ(factor.rank(), 0);
  EXPECT_EQ(x, VecX::Zero(3));
}

TEST(PivotedCholesky, ReadsTheLowerTriangleOnly) {
  CounterRng rng(4);
  MatX A = random_semidefinite(rng, 6, 9);
  const VecX b = random_vector(rng, 6);
  const VecX expected = A.llt().solve(b);
  A.triangularView<Eigen::StrictlyUpper>().setConstant(std::numeric_limits<double>::quiet_NaN());
  PivotedCholesky factor(6);
  factor.compute(A);
  VecX x = b;
  factor.solve(x);
  EXPECT_NEAR(relative(x, expected), 0, 1e-12);  // measured 7e-16
}

TEST(PivotedCholesky, AllocatesNothing) {
  if (!allocations_are_counted()) GTEST_SKIP() << "this build does not count allocations";
  CounterRng rng(5);
  const MatX A = random_semidefinite(rng, 10, 6);
  VecX x = random_vector(rng, 10);
  PivotedCholesky factor(10);
  const std::uint64_t before = allocation_count();
  factor.compute(A);
  factor.solve(x);
  EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace grouser::internal
