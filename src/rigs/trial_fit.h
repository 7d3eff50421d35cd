#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// Least squares over trials: curves that share their parameters but not their errors. Points of
/// one curve err together (the ground was prepared once for all of them), so a trial counts as one
/// piece of evidence however many points it has: its residuals are divided by the root of their
/// number, and intervals come from how much trials differ.
namespace grouser::internal {

/// A point's residual and, where `gradient` is not null, its derivatives by the parameters and, in
/// the last place, by the trial's offset. False where the law has no value there.
using TrialResidual =
    std::function<bool(std::size_t trial, std::size_t point, const double* parameters,
                       double offset, double* residual, double* gradient)>;

/// All residuals of a trial at once and, where `jacobian` is not null, their derivatives by the parameters, row
/// by row: for laws whose points come from one computation. False where there is no value.
using WholeTrialResidual = std::function<bool(std::size_t trial, const double* parameters,
                                              double* residuals, double* jacobian)>;

struct TrialFitProblem {
  struct Trial {
    std::size_t points = 0;
    int stratum = 0;  ///< trials of the same stratum repeat each other; 0, 1, ...
    double offset_low = 0, offset_high = 0;
  };

  std::vector<Trial> trials;
  std::vector<double> start, low, high;  ///< of the shared parameters, low <= start <= high
  bool offsets = false;                  ///< whether each trial has an offset of its own
  TrialResidual residual;
  WholeTrialResidual whole;  ///< instead of `residual`, for trials without offsets
};

struct TrialFitSolution {
  std::vector<double> parameters;
  std::vector<double> offsets;  ///< one per trial; zeros if there are none
  bool converged = false;
  std::string message;  ///< why it ended
};

/// Minimises the sum over trials of weight times mean square residual (Ceres, a trust region method
/// with bounds). Trials of weight 0 keep the offset of `from`.
TrialFitSolution solve(const TrialFitProblem& problem, const std::vector<double>& weights,
                       const TrialFitSolution& from);

/// From the start, all trials alike.
TrialFitSolution solve(const TrialFitProblem& problem);

/// Whether the data tell all parameters (those at a bound aside): the matrix of the linearised
/// problem, its diagonal scaled to 1, has no eigenvalue below 1e-11.
bool is_determined(const TrialFitProblem& problem, const TrialFitSolution& solution);

/// Sets of parameters spread as the estimates would be if the campaign were done again.
struct ParameterSamples {
  std::vector<std::vector<double>> sets;
  double degrees = 1;     ///< of freedom, >= 1: how well the spread itself is known
  bool resampled = true;  ///< trials were resampled; else drawn from the covariance
  int failed = 0;         ///< resamples that did not converge, left out
};

/// Whether trials can be resampled: at least three, and at least two in each stratum.
bool can_resample(const TrialFitProblem& problem);

/// Bootstrap over trials within strata. Of a stratum's m trials, m - 1 are drawn with replacement
/// and weighted by m/(m - 1), which makes the variance unbiased for small m; plain resampling of
/// three trials would understate it by a third. Rao & Wu, J. Am. Stat. Assoc. 83 (1988), 231-241.
/// Every resample starts from `solution`. The same sets for any number of threads.
ParameterSamples resample(const TrialFitProblem& problem, const TrialFitSolution& solution,
                          int count, std::uint64_t seed);

/// Draws from the normal distribution of the linearised problem. A trial's points count as
/// N (1 - r)/(1 + r) independent ones, r being the correlation of neighbouring residuals. Knows
/// nothing of how trials would differ, so it is narrower than resampling.
ParameterSamples draw_from_covariance(const TrialFitProblem& problem,
                                      const TrialFitSolution& solution, int count,
                                      std::uint64_t seed);

struct Interval {
  double low = 0, high = 0;
};

/// 95 % interval: the samples' 2.5 % and 97.5 % points, their distances from the estimate stretched
/// by t/1.96 with Student's t of so many degrees of freedom. `positive`: stretched as ratios, so
/// that the interval of a positive quantity stays positive.
Interval interval_95(std::vector<double> samples, double estimate, double degrees, bool positive);

/// 97.5 % point of Student's t distribution, within 1.5 %. degrees >= 1.
double student_t(double degrees);

/// Pearson's correlation; 0 if either does not vary.
double correlation(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace grouser::internal
