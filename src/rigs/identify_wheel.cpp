#include "rigs/identify_wheel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "rigs/fit_parts.h"

namespace grouser::internal {
namespace {

/// A number that is fitted, by its logarithm or plainly.
struct Unknown {
  const char* name;
  const char* unit;
  double start, low, high;
  bool logarithm = true;

  double inner(double value) const { return logarithm ? std::log(value) : value; }
  double outer(double value) const { return logarithm ? std::exp(value) : value; }
};

/// A model and what of it is unknown.
struct Family {
  std::vector<Unknown> unknowns;
  /// The model and the soil for values of the unknowns.
  std::function<std::pair<WheelModel, WheelOnTest>(const std::vector<double>&)> make;
};

constexpr double kForceWeight = 1;  // of a force over the load, next to a sinkage over itself

/// Sinkages at all times, pull and torque of a test; forces weigh as much as all sinkages together.
std::vector<double> residuals_of(const WheelOnTest& wheel, const WheelTest& test,
                                 const WheelPrediction& prediction) {
  std::vector<double> residuals;
  const double scale = std::max(test.sinkage, 1e-3 * wheel.form.radius);
  if (test.history.empty()) residuals.push_back((prediction.sinkage - test.sinkage) / scale);
  for (std::size_t k = 0; k < test.history.size(); ++k) {
    residuals.push_back((prediction.history[k] - test.history[k].sinkage) / scale);
  }
  const double weight = kForceWeight * std::sqrt(static_cast<double>(residuals.size()));
  residuals.push_back(weight * (prediction.pull - test.pull) / test.load);
  if (test.torque) {
    residuals.push_back(weight * (prediction.torque - *test.torque) /
                        (test.load * wheel.form.radius));
  }
  return residuals;
}

std::vector<double> values_of(const Family& family, const double* inner) {
  std::vector<double> values;
  for (std::size_t k = 0; k < family.unknowns.size(); ++k) {
    values.push_back(family.unknowns[k].outer(inner[k]));
  }
  return values;
}

TrialFitProblem make_problem(const Family& family, const std::vector<WheelTest>& tests) {
  TrialFitProblem problem;
  for (const Unknown& unknown : family.unknowns) {
    problem.start.push_back(unknown.inner(unknown.start));
    problem.low.push_back(unknown.inner(unknown.low));
    problem.high.push_back(unknown.inner(unknown.high));
  }
  const auto residuals = [&family, &tests](std::size_t trial, const double* inner) {
    const auto [model, wheel] = family.make(values_of(family, inner));
    return residuals_of(wheel, tests[trial], predict(model, wheel, tests[trial]));
  };
  for (std::size_t t = 0; t < tests.size(); ++t) {
    problem.trials.push_back({.points = residuals(t, problem.start.data()).size()});
  }
  problem.whole = [residuals, count = problem.start.size()](std::size_t trial, const double* inner,
                                                            double* out, double* jacobian) {
    constexpr double kStep = 1e-4;
    const std::vector<double> here = residuals(trial, inner);
    std::ranges::copy(here, out);
    std::vector<double> moved(inner, inner + count);
    for (std::size_t k = 0; jacobian != nullptr && k < count; ++k) {
      moved[k] = inner[k] + kStep;
      const std::vector<double> there = residuals(trial, moved.data());
      moved[k] = inner[k];
      for (std::size_t i = 0; i < here.size(); ++i) {
        jacobian[i * count + k] = (there[i] - here[i]) / kStep;
      }
    }
    return std::ranges::all_of(here, [](double x) { return std::isfinite(x); });
  };
  return problem;
}

WheelMisfit misfit_of(const std::vector<WheelTest>& tests,
                      const std::vector<WheelPrediction>& predictions) {
  WheelMisfit misfit;
  double torques = 0;
  const auto count = static_cast<double>(tests.size());
  for (std::size_t t = 0; t < tests.size(); ++t) {
    const WheelTest& test = tests[t];
    const WheelPrediction& by_model = predictions[t];
    double error = std::abs(by_model.sinkage - test.sinkage);
    if (!test.history.empty()) {
      error = 0;
      for (std::size_t k = 0; k < test.history.size(); ++k) {
        error += std::abs(by_model.history[k] - test.history[k].sinkage) /
                 static_cast<double>(test.history.size());
      }
    }
    const double relative = error / std::max(std::abs(test.sinkage), 1e-9);
    misfit.sinkage += relative / count;
    misfit.worst_sinkage = std::max(misfit.worst_sinkage, relative);
    misfit.sinkage_rms += std::pow(by_model.sinkage - test.sinkage, 2) / count;
    misfit.pull_rms += std::pow(by_model.pull - test.pull, 2) / count;
    if (!test.torque) continue;
    torques += 1;
    misfit.torque_rms += std::pow(by_model.torque - *test.torque, 2);
  }
  misfit.sinkage_rms = std::sqrt(misfit.sinkage_rms);
  misfit.pull_rms = std::sqrt(misfit.pull_rms);
  if (torques > 0) misfit.torque_rms = std::sqrt(misfit.torque_rms / torques);
  return misfit;
}

std::vector<WheelPrediction> predict_all(const WheelModel& model, const WheelOnTest& wheel,
                                         const std::vector<WheelTest>& tests) {
  std::vector<WheelPrediction> all;
  for (const WheelTest& test : tests) all.push_back(predict(model, wheel, test));
  return all;
}

WheelIdentification identify(const Family& family, const std::vector<WheelTest>& tests,
                             const std::vector<WheelTest>& held_out,
                             const IdentifyOptions& options) {
  if (tests.size() < family.unknowns.size() / 2 + 1) {
    throw Error(ErrorKind::input, {.message = fmt::format("{} tests are too few for {} parameters",
                                                          tests.size(), family.unknowns.size()),
                                   .legal = fmt::format(">= {}", family.unknowns.size() / 2 + 1)});
  }
  const TrialFitProblem problem = make_problem(family, tests);
  const TrialFitSolution solution = solve(problem);
  if (!solution.converged) {
    throw Error(ErrorKind::input,
                {.message = "no parameters fit the wheel tests: " + solution.message});
  }
  FitReport report;
  const std::vector<bool> positive(family.unknowns.size(), true);
  const Estimates estimates = estimate(
      problem, solution, options,
      [&](const std::vector<double>& inner) { return values_of(family, inner.data()); }, positive,
      report);
  const auto [model, wheel] = family.make(values_of(family, solution.parameters.data()));
  WheelIdentification fit{.model = model, .wheel = wheel, .fitted = tests, .held_out = held_out};
  fit.resampled = report.resampled;
  fit.warnings = report.warnings;
  for (std::size_t k = 0; k < family.unknowns.size(); ++k) {
    const Unknown& unknown = family.unknowns[k];
    fit.parameters.push_back({unknown.name, unknown.unit, estimates.values[k]});
    const double value = estimates.values[k].value;
    if (value < unknown.low * 1.001 || value > unknown.high / 1.001) {
      fit.warnings.push_back(
          fmt::format("{} ended at a bound: the tests do not tell it well", unknown.name));
    }
  }
  fit.of_fitted = predict_all(model, wheel, tests);
  fit.of_held_out = predict_all(model, wheel, held_out);
  fit.misfit = misfit_of(tests, fit.of_fitted);
  fit.held_out_misfit = misfit_of(held_out, fit.of_held_out);
  return fit;
}

}  // namespace

WheelIdentification identify_terra(const WheelOnTest& wheel, const std::vector<WheelTest>& tests,
                                   const std::vector<WheelTest>& held_out, const TerraModel& start,
                                   const IdentifyOptions& options) {
  const bool histories =
      std::ranges::any_of(tests, [](const WheelTest& test) { return !test.history.empty(); });
  Family family;
  family.unknowns = {{"pressure", "-", start.pressure, 0.05, 50},
                     {"dig", "-", std::max(start.dig, 1e-4), 1e-5, 10},
                     {"dig_limit", "-", start.dig_limit, 0.02, 2},
                     {"strength", "-", start.strength, 0.1, 10},
                     {"shear", "-", start.shear, 0.05, 20},
                     {"compaction", "-", std::max(start.compaction, 0.1), 1e-3, 10},
                     {"bulldozing", "-", std::max(start.bulldozing, 0.1), 1e-3, 10}};
  const bool loads = std::ranges::any_of(tests, [&](const WheelTest& test) {
    return test.load > 1.1 * tests.front().load || 1.1 * test.load < tests.front().load;
  });
  if (loads)
    family.unknowns.push_back({"dig_load", "-", std::max(start.dig_load, 0.5), 0, 3, false});
  if (histories) family.unknowns.push_back({"fill_length", "m", start.fill_length, 1e-3, 10});
  family.make = [wheel, start, loads, histories](const std::vector<double>& x) {
    TerraModel model = start;
    model.pressure = x[0];
    model.dig = x[1];
    model.dig_limit = x[2];
    model.strength = x[3];
    model.shear = x[4];
    model.compaction = x[5];
    model.bulldozing = x[6];
    if (loads) model.dig_load = x[7];
    if (histories) model.fill_length = x.back();
    return std::pair<WheelModel, WheelOnTest>(model, wheel);
  };
  WheelIdentification fit = identify(family, tests, held_out, options);
  const auto keep = [&](const char* name, const char* unit, double value) {
    fit.parameters.push_back({name, unit, {value, value, value}, false});
  };
  if (!loads) keep("dig_load", "-", start.dig_load);
  if (!histories) keep("fill_length", "m", start.fill_length);
  return fit;
}

WheelIdentification identify_bwr(const WheelOnTest& wheel, const std::vector<WheelTest>& tests,
                                 const std::vector<WheelTest>& held_out, const BwrModel& start,
                                 const IdentifyOptions& options) {
  Family family;
  // Within these a0 - a1 >= 0 and a0 + a1 <= 1 hold.
  family.unknowns = {
      {"soil.shear_modulus", "m", wheel.soil.shear_modulus, 1e-4, 0.2},
      {"peak", "-", std::clamp(start.stress.peak, 0.21, 0.79), 0.2, 0.8, false},
      {"peak_per_slip", "-", std::clamp(start.stress.peak_per_slip, 0.01, 0.19), 0.001, 0.2, false},
      {"rear", "-", std::clamp(start.stress.rear, 0.01, 0.99), 0.001, 1, false}};
  family.make = [wheel, start](const std::vector<double>& x) {
    WheelOnTest changed = wheel;
    changed.soil.shear_modulus = x[0];
    BwrModel model = start;
    model.stress.peak = x[1];
    model.stress.peak_per_slip = x[2];
    model.stress.rear = x[3];
    return std::pair<WheelModel, WheelOnTest>(model, changed);
  };
  return identify(family, tests, held_out, options);
}

}  // namespace grouser::internal
