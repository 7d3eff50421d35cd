#include "math/small_cholesky.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include "core/rng.h"

namespace grouser::internal {
namespace {

constexpr int kMax = 6;

TEST(SmallCholesky, HandValue) {
  const double A[2][2] = {{4, 2}, {2, 3}};
  double x[2] = {8, 8};  // A (1, 2)
  SmallCholesky<2> factor;
  factor.compute(A, 2);
  factor.solve(x);
  EXPECT_NEAR(x[0], 1, 1e-14);  // measured 3e-16
  EXPECT_NEAR(x[1], 2, 1e-14);  // measured 5e-16
}

TEST(SmallCholesky, EqualsEigenAndReadsTheLowerTriangleOnly) {
  CounterRng rng(1);
  for (int n = 1; n <= kMax; ++n) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      Eigen::MatrixXd B(n, n + 2);
      for (double& entry : B.reshaped()) entry = rng.normal();
      const Eigen::MatrixXd A = B * B.transpose();
      Eigen::VectorXd b(n);
      for (double& entry : b) entry = rng.normal();
      const Eigen::VectorXd expected = A.llt().solve(b);
      double lower[kMax][kMax];
      for (int i = 0; i < kMax; ++i) {
        for (int j = 0; j < kMax; ++j) {
          lower[i][j] = i < n && j <= i ? A(i, j) : std::numeric_limits<double>::quiet_NaN();
        }
      }
      SmallCholesky<kMax> factor;
      factor.compute(lower, n);
      factor.solve(b.data());
      const double scale = expected.cwiseAbs().maxCoeff();
      EXPECT_NEAR((b - expected).cwiseAbs().maxCoeff() / scale, 0, 1e-12);  // measured 3e-15
    }
  }
}

TEST(SmallCholesky, IndefiniteMatrixGivesNan) {
  const double A[2][2] = {{1, 2}, {2, 1}};  // eigenvalues 3 and -1
  double x[2] = {1, 1};
  SmallCholesky<2> factor;
  factor.compute(A, 2);
  factor.solve(x);
  EXPECT_TRUE(std::isnan(x[0]));
  EXPECT_TRUE(std::isnan(x[1]));
}

}  // namespace
}  // namespace grouser::internal
