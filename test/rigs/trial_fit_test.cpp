#include "rigs/trial_fit.h"

#include <gtest/gtest.h>

#include <cmath>

namespace grouser::internal {
namespace {

// From integrating the density by Simpson's rule and bisecting.
TEST(TrialFit, StudentsPointsAreThoseOfTheDistribution) {
  for (const auto& [degrees, t] : {std::pair{1.0, 12.7062},
                                   {1.25, 8.0280},
                                   {1.5, 6.0167},
                                   {2.5, 3.5747},
                                   {7.0, 2.3646},
                                   {12.0, 2.1788},
                                   {100.0, 1.9840}}) {
    EXPECT_NEAR(student_t(degrees) / t, 1, 1e-3) << degrees;  // measured 8e-4
  }
  EXPECT_NEAR(student_t(1e12), 1.960, 1e-3);
}

TEST(TrialFit, IntervalsAreStretchedForFewTrials) {
  std::vector<double> samples;
  for (int i = 0; i <= 1000; ++i) samples.push_back(9 + 0.002 * i);  // 9 ... 11
  const Interval many = interval_95(samples, 10, 1e9, false);
  EXPECT_NEAR(many.low, 9.05, 1e-6);
  EXPECT_NEAR(many.high, 10.95, 1e-6);
  const Interval few = interval_95(samples, 10, 2, false);
  EXPECT_NEAR(few.low, 10 - 0.95 * 4.303 / 1.96, 1e-6);
  EXPECT_GT(interval_95({0.1, 0.5, 1, 2, 10}, 1, 1, true).low, 0);
}

TEST(TrialFit, CorrelationOfHandCases) {
  EXPECT_NEAR(correlation({1, 2, 3}, {2, 4, 6}), 1, 1e-15);
  EXPECT_NEAR(correlation({1, 2, 3}, {3, 2, 1}), -1, 1e-15);
  EXPECT_NEAR(correlation({1, 2, 3, 4}, {1, -1, -1, 1}), 0, 1e-15);
  EXPECT_EQ(correlation({1, 1}, {1, 2}), 0);
}

// A mean: residuals y - m. Trials are single values, so all can be said in closed form.
TrialFitProblem mean_of(const std::vector<double>& values, std::vector<int> strata) {
  TrialFitProblem problem;
  for (const int stratum : strata) problem.trials.push_back({.points = 1, .stratum = stratum});
  problem.start = {0};
  problem.low = {-1e6};
  problem.high = {1e6};
  problem.residual = [values](std::size_t trial, std::size_t, const double* parameters, double,
                              double* residual, double* gradient) {
    *residual = parameters[0] - values[trial];
    if (gradient != nullptr) gradient[0] = 1, gradient[1] = 0;
    return true;
  };
  return problem;
}

TEST(TrialFit, MeanIsTheLeastSquare) {
  const TrialFitSolution solution = solve(mean_of({1, 2, 6}, {0, 0, 0}));
  EXPECT_TRUE(solution.converged);
  EXPECT_NEAR(solution.parameters[0], 3, 2e-8);  // measured 1e-8
}

TEST(TrialFit, BoundsHold) {
  TrialFitProblem problem = mean_of({1, 2, 6}, {0, 0, 0});
  problem.high = {2.5};
  EXPECT_NEAR(solve(problem).parameters[0], 2.5, 1e-9);
}

// The variance of a mean of m values is s²/m with s² divided by m - 1; plain resampling would give
// it with m. 2000 resamples know a variance to about 3 %.
TEST(TrialFit, ResamplingGivesTheUnbiasedVarianceOfAMean) {
  const TrialFitProblem problem = mean_of({1, 2, 6}, {0, 0, 0});
  const ParameterSamples samples = resample(problem, solve(problem), 2000, 1);
  double mean = 0, square = 0;
  for (const std::vector<double>& set : samples.sets) mean += set[0] / 2000;
  for (const std::vector<double>& set : samples.sets) {
    square += (set[0] - mean) * (set[0] - mean) / 2000;
  }
  EXPECT_NEAR(square / (7.0 / 3), 1, 0.1);  // s² = 7; measured 0.005
  EXPECT_EQ(samples.degrees, 2);
  EXPECT_EQ(samples.failed, 0);
}

TEST(TrialFit, ResamplingNeedsRepeatsInEachStratum) {
  EXPECT_TRUE(can_resample(mean_of({1, 2, 3}, {0, 0, 0})));
  EXPECT_TRUE(can_resample(mean_of({1, 2, 3, 4}, {0, 1, 1, 0})));
  EXPECT_FALSE(can_resample(mean_of({1, 2, 3}, {0, 0, 1})));
  EXPECT_FALSE(can_resample(mean_of({1, 2}, {0, 0})));
}

}  // namespace
}  // namespace grouser::internal
