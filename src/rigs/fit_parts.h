#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "rigs/identify_soil.h"
#include "rigs/trial_fit.h"

/// What the fits of identify_soil.h share.
namespace grouser::internal {

/// Throws Error(input) naming the trial.
template <class Test>
[[noreturn]] void refuse_trial(const Test& test, const std::string& message,
                               const std::string& legal) {
  throw Error(ErrorKind::input, {.message = message,
                                 .file = test.file,
                                 .line = test.line,
                                 .field = fmt::format("trial '{}'", test.trial),
                                 .legal = legal});
}

/// Throws Error(input) if a fit needs more points.
template <class Test>
void require_points(const Test& used) {
  constexpr std::size_t kFewest = 3;
  if (used.points.size() >= kFewest) return;
  refuse_trial(used, fmt::format("only {} of its points can be used", used.points.size()),
               fmt::format(">= {} points of its first loading", kFewest));
}

/// solve(), throwing Error(input) if it does not converge or the data leave a parameter open.
TrialFitSolution solve_or_throw(const TrialFitProblem& problem, const char* what);

struct Estimates {
  std::vector<Estimate> values;
  std::vector<std::vector<double>> samples;  ///< of each value, over resamples
};

/// Values and 95 % intervals of what `in_si` makes of the parameters. `positive` tells which of
/// these cannot be negative. Says in the report where the intervals come from.
Estimates estimate(const TrialFitProblem& problem, const TrialFitSolution& solution,
                   const IdentifyOptions& options,
                   const std::function<std::vector<double>(const std::vector<double>&)>& in_si,
                   const std::vector<bool>& positive, FitReport& report);

/// Gathers measured and fitted stresses [Pa], trial by trial.
class MisfitSum {
 public:
  void add(double measured, double fitted);
  void end_trial(TrialMisfit trial, FitReport& report);
  void finish(FitReport& report) const;

 private:
  std::vector<double> measured_;
  double trial_square_ = 0, square_ = 0, mean_square_ = 0;
};

}  // namespace grouser::internal
