#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "rigs/fit_parts.h"
#include "rigs/identify_soil.h"

namespace grouser::internal {
namespace {

constexpr double kSameLevel = 0.05;  // mean normal stresses closer than this repeat each other
constexpr double kLeastSlope = 1e-6, kGreatestSlope = 20;       // tan φ; 87 deg
constexpr double kShortestTravel = 1e-4, kLongestTravel = 1e2;  // K, in units of j_ref

/// The data as they are fitted: stresses and displacements about 1.
struct ShearData {
  struct Trial {
    std::vector<double> p, j, tau;
    double rms = 1;
  };
  std::vector<Trial> trials;
  double stress_ref = 1, j_ref = 1;
};

/// Parameters {c/stress_ref, tan φ, K/j_ref}, or without c if there is one normal stress.
struct JanosiResidual {
  const ShearData& data;
  bool one_stress;

  bool operator()(std::size_t trial, std::size_t point, const double* parameters, double,
                  double* residual, double* gradient) const {
    const ShearData::Trial& set = data.trials[trial];
    const double c = one_stress ? 0 : *parameters++;
    const double slope = parameters[0], length = parameters[1];
    const double p = set.p[point], j = set.j[point];
    const double rise = -std::expm1(-j / length);
    const double strength = c + p * slope;
    *residual = (strength * rise - set.tau[point]) / set.rms;
    if (gradient == nullptr) return true;
    if (!one_stress) *gradient++ = rise / set.rms;
    *gradient++ = p * rise / set.rms;
    *gradient++ = -strength * std::exp(-j / length) * j / (length * length) / set.rms;
    *gradient = 0;  // there is no offset
    return true;
  }
};

ShearTest used_points(const ShearTest& test, LeftOut& left_out) {
  ShearTest used = test;
  used.points.clear();
  std::vector<double> travels;
  for (const ShearPoint& point : test.points) travels.push_back(point.displacement);
  const std::vector<bool> loading = first_loading(travels);
  for (std::size_t i = 0; i < loading.size(); ++i) {
    if (!loading[i]) {
      ++left_out.unloading;
    } else if (test.points[i].displacement <= 0) {
      ++left_out.shallow;
    } else {
      used.points.push_back(test.points[i]);
    }
  }
  require_points(used);
  return used;
}

double mean_normal_stress(const ShearTest& test) {
  double sum = 0;
  for (const ShearPoint& point : test.points) sum += point.normal_stress;
  return sum / static_cast<double>(test.points.size());
}

ShearData scaled(const std::vector<ShearTest>& tests) {
  ShearData data;
  data.stress_ref = mean_normal_stress(tests.front());
  data.j_ref = 0;
  for (const ShearTest& test : tests) {
    for (const ShearPoint& point : test.points)
      data.j_ref = std::max(data.j_ref, point.displacement);
  }
  for (const ShearTest& test : tests) {
    ShearData::Trial trial;
    double sum = 0, square = 0;
    for (const ShearPoint& point : test.points) {
      trial.p.push_back(point.normal_stress / data.stress_ref);
      trial.j.push_back(point.displacement / data.j_ref);
      trial.tau.push_back(point.shear_stress / data.stress_ref);
      sum += trial.tau.back();
      square += trial.tau.back() * trial.tau.back();
    }
    trial.rms = std::sqrt(square / static_cast<double>(trial.tau.size()));
    if (!(sum > 0))
      refuse_trial(test, "its shear stresses are not positive on average", "> 0 [Pa]");
    data.trials.push_back(std::move(trial));
  }
  return data;
}

/// The number of each trial's level of normal stress, from the lowest.
std::vector<int> levels_of(const std::vector<ShearTest>& tests) {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t t = 0; t < tests.size(); ++t)
    order.emplace_back(mean_normal_stress(tests[t]), t);
  std::ranges::sort(order);
  std::vector<int> levels(tests.size(), 0);
  double begin = order.front().first;
  int level = 0;
  for (const auto& [stress, t] : order) {
    if (stress > begin * (1 + kSameLevel)) {
      ++level;
      begin = stress;
    }
    levels[t] = level;
  }
  return levels;
}

TrialFitProblem make_problem(const std::vector<ShearTest>& tests, const ShearData& data,
                             const std::vector<int>& levels, bool one_stress) {
  TrialFitProblem problem;
  problem.residual = JanosiResidual{data, one_stress};
  problem.start = {0.5, 0.2};
  problem.low = {kLeastSlope, kShortestTravel};
  problem.high = {kGreatestSlope, kLongestTravel};
  if (!one_stress) {
    problem.start.insert(problem.start.begin(), 0.05);
    problem.low.insert(problem.low.begin(), 0);
    problem.high.insert(problem.high.begin(), 1e4);
  }
  for (std::size_t t = 0; t < tests.size(); ++t) {
    problem.trials.push_back({.points = tests[t].points.size(), .stratum = levels[t]});
  }
  return problem;
}

void warn(ShearFit& fit, const std::vector<ShearTest>& tests, const ShearData& data) {
  if (fit.one_stress) {
    fit.warnings.emplace_back(
        "one normal stress only: c and phi cannot be told apart; phi is that of a soil without "
        "cohesion, good for this stress");
  } else if (fit.cohesion.value <= 1e-9 * data.stress_ref) {
    fit.warnings.emplace_back("c stands at its bound, 0");
  }
  const double slope = std::tan(fit.friction_angle.value);
  if (slope < 2 * kLeastSlope || slope > 0.999 * kGreatestSlope) {
    fit.warnings.push_back(fmt::format("phi stands at its bound, {:.3g} deg",
                                       fit.friction_angle.value * 180 / std::numbers::pi));
  }
  if (fit.shear_modulus.value > 0.5 * data.j_ref) {
    fit.warnings.push_back(fmt::format(
        "K is {:.3g} mm but the tests went to {:.3g} mm: the strength was not reached, so c, phi "
        "and K are uncertain together",
        1e3 * fit.shear_modulus.value, 1e3 * data.j_ref));
  }
  std::size_t humps = 0;
  for (const ShearTest& test : tests) {
    double peak = 0;
    for (const ShearPoint& point : test.points) peak = std::max(peak, point.shear_stress);
    if (test.points.back().shear_stress < 0.85 * peak) ++humps;
  }
  if (humps > 0) {
    fit.warnings.push_back(fmt::format(
        "{} of {} trials end more than 15 % below their peak: the law knows no peak and fits "
        "between it and what remains",
        humps, tests.size()));
  }
}

}  // namespace

double ShearFit::shear_stress(double normal_stress, double displacement) const {
  const double strength = cohesion.value + normal_stress * std::tan(friction_angle.value);
  return strength * -std::expm1(-std::max(0.0, displacement) / shear_modulus.value);
}

ShearFit identify_shear(const std::vector<ShearTest>& tests, const IdentifyOptions& options) {
  if (tests.empty()) throw Error(ErrorKind::input, {.message = "there is no shear test"});
  ShearFit fit;
  std::vector<ShearTest>& used = fit.used;
  for (const ShearTest& test : tests) used.push_back(used_points(test, fit.left_out));
  const std::vector<int> levels = levels_of(used);
  fit.one_stress = *std::ranges::max_element(levels) == 0;

  const ShearData data = scaled(used);
  const TrialFitProblem problem = make_problem(used, data, levels, fit.one_stress);
  const TrialFitSolution solution = solve_or_throw(problem, "shear tests");
  const auto in_si = [&](const std::vector<double>& set) {
    const double c = fit.one_stress ? 0 : set[0] * data.stress_ref;
    return std::vector<double>{c, std::atan(set[set.size() - 2]), set.back() * data.j_ref};
  };
  const Estimates estimates = estimate(problem, solution, options, in_si, {false, true, true}, fit);
  fit.cohesion = estimates.values[0];
  fit.cohesion.low = std::max(0.0, fit.cohesion.low);
  fit.friction_angle = estimates.values[1];
  fit.friction_angle.high = std::min(fit.friction_angle.high, std::numbers::pi / 2);
  fit.shear_modulus = estimates.values[2];

  MisfitSum misfit;
  for (std::size_t t = 0; t < used.size(); ++t) {
    for (const ShearPoint& point : used[t].points) {
      misfit.add(point.shear_stress, fit.shear_stress(point.normal_stress, point.displacement));
    }
    misfit.end_trial({.trial = used[t].trial,
                      .level = mean_normal_stress(used[t]),
                      .group = levels[t],
                      .points = used[t].points.size()},
                     fit);
  }
  misfit.finish(fit);
  warn(fit, used, data);
  return fit;
}

}  // namespace grouser::internal
