#include "nonsmooth/cone_problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "core/error.h"
#include "core/rng.h"
#include "lab/cone_samples.h"

namespace grouser::internal {
namespace {

using testing::HasSubstr;

/// One contact and one row of each other kind, not coupled, all W = 2.
ConeProblem five_blocks() {
  ConeProblem problem;
  problem.add_cone(0.5);
  problem.add_bilateral();
  problem.add_unilateral();
  problem.add_box(-1, 3);
  problem.W.set_dense(6);
  problem.W.dense().diagonal().setConstant(2);
  problem.q.assign(6, 0.0);
  return problem;
}

TEST(ConeProblem, BlocksFollowEachOther) {
  ConeProblem problem;
  EXPECT_EQ(problem.add_box(0, 1), 0);
  EXPECT_EQ(problem.add_cone(0.3), 1);
  EXPECT_EQ(problem.add_unilateral(), 4);
  EXPECT_EQ(problem.add_bilateral(), 5);
}

TEST(ConeProblem, ResidualByHand) {
  ConeProblem problem = five_blocks();
  // u = q at r = 0. Cone: û = (3 + 0.5 · 5, 3, 4), -û / 2 lies in the polar cone: no error. Bilateral: |u|.
  // Unilateral: opens. Box: u = -8 pushes r from 0 to 3, λ (3 - 0) = 6.
  problem.q = {3, 3, 4, 0.25, 7, -8};
  const std::vector<double> zero(6, 0.0);
  const double scale = std::sqrt(9 + 9 + 16 + 0.0625 + 49 + 64);
  EXPECT_NEAR(cone_residual(problem, zero), std::sqrt(0.0625 + 36) / scale, 1e-15);
  // With ρ = 1: the bilateral row counts 0.25, the box row 3.
  EXPECT_NEAR(cone_residual(problem, zero, 1), std::sqrt(0.0625 + 9) / scale, 1e-15);
}

TEST(ConeProblem, ResidualDoesNotDependOnUnits) {
  ConeProblem problem = make_cone_sample(4).problem;
  CounterRng rng(1);
  std::vector<double> r(problem.q.size());
  for (double& entry : r) entry = rng.normal();
  const double first = cone_residual(problem, r);
  const double mass = 1000, speed = 3.6;  // units so many times smaller
  for (double& w : problem.W.value) w /= mass;
  for (double& q : problem.q) q *= speed;
  for (double& entry : r) entry *= mass * speed;
  EXPECT_NEAR(cone_residual(problem, r) / first, 1, 1e-13);
}

TEST(ConeProblem, NobodyPullsWithoutFriction) {
  ConeProblem problem;
  problem.add_cone(0);
  problem.W.set_dense(3);
  problem.W.dense().diagonal().setConstant(2);
  problem.q = {1, 0, 0};  // parts; r = -0.5 would hold it
  EXPECT_NEAR(cone_residual(problem, std::vector<double>{-0.5, 0, 0}), 1, 1e-15);
  EXPECT_EQ(cone_residual(problem, std::vector<double>{0, 0, 0}), 0);
}

TEST(ConeProblem, ResidualOfADiskByHand) {
  ConeProblem problem;
  problem.add_disk(0.5);
  problem.W.set_dense(2);
  problem.W.dense().diagonal().setConstant(2);
  problem.q = {3, 4};
  // r = -u / 2 = (-1.5, -2) is pulled to the rim, (-0.3, -0.4): λ · 0.5 over |q|.
  EXPECT_NEAR(cone_residual(problem, std::vector<double>{0, 0}), 2 * 0.5 / 5, 1e-15);
  EXPECT_NEAR(cone_residual(problem, std::vector<double>{-0.3, -0.4}), 0, 1e-15);
  problem.blocks[0].upper = 3;  // enough to stop it
  EXPECT_NEAR(cone_residual(problem, std::vector<double>{-1.5, -2}), 0, 1e-15);
}

std::string error_of(const ConeProblem& problem) {
  try {
    validate(problem);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(ConeProblem, ValidateNamesWhatIsWrong) {
  EXPECT_EQ(error_of(five_blocks()), "no error");
  ConeProblem problem = five_blocks();
  problem.blocks[0].mu = -0.1;
  EXPECT_THAT(error_of(problem), HasSubstr("blocks[0].mu"));
  problem = five_blocks();
  problem.blocks[3].upper = -2;
  EXPECT_THAT(error_of(problem), HasSubstr("blocks[3].upper"));
  problem = five_blocks();
  problem.blocks[3] = {.kind = BlockKind::disk, .row = 5, .upper = -1};
  EXPECT_THAT(error_of(problem), HasSubstr("blocks[3].upper"));
  problem = five_blocks();
  problem.blocks[2].row = 5;
  EXPECT_THAT(error_of(problem), HasSubstr("gap"));
  problem = five_blocks();
  problem.q.pop_back();
  EXPECT_THAT(error_of(problem), HasSubstr("q: has another size"));
  problem = five_blocks();
  problem.q[2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(error_of(problem), HasSubstr("q: is not finite"));
  problem = five_blocks();
  problem.W.dense()(0, 4) = 1e-3;
  EXPECT_THAT(error_of(problem), HasSubstr("is not symmetric"));
  problem = five_blocks();
  problem.W.dense()(3, 3) = -2;
  EXPECT_THAT(error_of(problem), HasSubstr("W(3, 3): is negative"));
}

TEST(ConeProblem, SamplesAreValidAndTheSameEveryTime) {
  for (int i = 0; i < 16; ++i) {
    const ConeProblem problem = make_cone_sample(i).problem;
    EXPECT_EQ(error_of(problem), "no error") << i;
    EXPECT_EQ(problem.W.value, make_cone_sample(i).problem.W.value);
  }
}

}  // namespace
}  // namespace grouser::internal
