// Friction against rolling in a cone problem.
#include <gtest/gtest.h>

#include "nonsmooth/cone_solver.h"

namespace grouser::internal {
namespace {

/// A ball of 2 kg on the ground that turns about two axes, and rolling friction of at most `limit`. What turns it
/// also moves it: W = 1 in the rows of the disk, 0.5 in those of the contact, 0.3 between.
ConeProblem turning_ball(double limit) {
  ConeProblem problem;
  problem.add_cone(0.3);
  problem.add_disk(limit);
  problem.W.set_dense(5);
  problem.W.dense().diagonal() << 0.5, 0.5, 0.5, 1, 1;
  for (const int k : {1, 2}) problem.W.dense()(k, k + 2) = problem.W.dense()(k + 2, k) = 0.3;
  problem.q = {-1, 0, 0, 3, 4};
  return problem;
}

class DiskByEachMethod : public testing::TestWithParam<ConeMethod> {
 protected:
  static void expect_impulses(double limit, const std::vector<double>& expected) {
    std::vector<double> r(5, 0.0);
    ConeSolver solver;
    ASSERT_TRUE(solver.solve(turning_ball(limit), {.method = GetParam()}, r).solved);
    for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(r[k], expected[k], 1e-6) << k;
  }
};

// The contact sticks: 0.5 r_T + 0.3 m = 0, |m| = 0.5 against (3, 4).
TEST_P(DiskByEachMethod, RollingIsBrakedAlongItsDirection) {
  expect_impulses(0.5, {2, 0.18, 0.24, -0.3, -0.4});
}

// The contact slides, |r_T| = 0.6 = 0.3 · 2 along (3, 4): m + 0.3 r_T + (3, 4) = 0.
TEST_P(DiskByEachMethod, RollingIsStopped) {
  expect_impulses(100, {2, 0.36, 0.48, -3.108, -4.144});
}

INSTANTIATE_TEST_SUITE_P(Methods, DiskByEachMethod,
                         testing::Values(ConeMethod::automatic, ConeMethod::newton,
                                         ConeMethod::proximal, ConeMethod::interior_point,
                                         ConeMethod::nsgs),
                         [](const auto& info) { return to_string(info.param); });

}  // namespace
}  // namespace grouser::internal
