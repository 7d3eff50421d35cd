#include "rigs/fit_parts.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"

namespace grouser::internal {

TrialFitSolution solve_or_throw(const TrialFitProblem& problem, const char* what) {
  TrialFitSolution solution = solve(problem);
  if (!solution.converged) {
    throw Error(ErrorKind::input,
                {.message = fmt::format("no parameters fit the {}: {}", what, solution.message)});
  }
  if (!is_determined(problem, solution)) {
    throw Error(ErrorKind::input,
                {.message = fmt::format("the {} do not tell all parameters: other values fit them "
                                        "as well",
                                        what),
                 .legal = "points spread over a range of sinkages or displacements"});
  }
  return solution;
}

Estimates estimate(const TrialFitProblem& problem, const TrialFitSolution& solution,
                   const IdentifyOptions& options,
                   const std::function<std::vector<double>(const std::vector<double>&)>& in_si,
                   const std::vector<bool>& positive, FitReport& report) {
  const bool resampled = can_resample(problem);
  const ParameterSamples samples =
      resampled ? resample(problem, solution, options.resamples, options.seed)
                : draw_from_covariance(problem, solution, options.resamples, options.seed);
  report.resampled = resampled;
  if (!resampled) {
    report.warnings.emplace_back(
        "too few trials to resample (3, and 2 of each kind): the intervals come from the scatter "
        "along the curves and know nothing of how trials differ, so they are too narrow");
  }
  if (samples.failed > 0) {
    report.warnings.push_back(
        fmt::format("{} of {} resamples did not converge and are left out of the intervals",
                    samples.failed, options.resamples));
  }
  Estimates result;
  result.samples.resize(positive.size());
  for (const std::vector<double>& set : samples.sets) {
    const std::vector<double> values = in_si(set);
    for (std::size_t k = 0; k < values.size(); ++k) result.samples[k].push_back(values[k]);
  }
  const std::vector<double> best = in_si(solution.parameters);
  for (std::size_t k = 0; k < best.size(); ++k) {
    const Interval interval = interval_95(result.samples[k], best[k], samples.degrees, positive[k]);
    result.values.push_back({best[k], interval.low, interval.high});
  }
  return result;
}

void MisfitSum::add(double measured, double fitted) {
  measured_.push_back(measured);
  const double square = (measured - fitted) * (measured - fitted);
  trial_square_ += square;
  square_ += square;
}

void MisfitSum::end_trial(TrialMisfit trial, FitReport& report) {
  const double mean = trial_square_ / static_cast<double>(trial.points);
  trial.rms = std::sqrt(mean);
  mean_square_ += mean;
  trial_square_ = 0;
  report.trials.push_back(std::move(trial));
}

void MisfitSum::finish(FitReport& report) const {
  const auto count = static_cast<double>(measured_.size());
  const double mean = std::accumulate(measured_.begin(), measured_.end(), 0.0) / count;
  double spread = 0;
  for (const double value : measured_) spread += (value - mean) * (value - mean);
  report.r_squared = spread > 0 ? 1 - square_ / spread : 0;
  report.rms = std::sqrt(mean_square_ / static_cast<double>(report.trials.size()));
}

}  // namespace grouser::internal
