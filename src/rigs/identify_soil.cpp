#include "rigs/identify_soil.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/text.h"
#include "rigs/fit_parts.h"
#include "terrain/soil.h"

namespace grouser::internal {
namespace {

constexpr double kLeastExponent = 0.05, kGreatestExponent = 5;  // n; Soil takes no more than 5
constexpr double kShallow = 0.05;  // of a trial's depth: what a log fit leaves out
constexpr double kLeastModulus = 1e-6, kGreatestModulus = 1e4;  // of the scaled moduli

/// The data as they are fitted: pressures, sinkages and widths about 1.
struct PlateData {
  struct Trial {
    double inverse_width = 1;  // b_ref/b
    std::vector<double> z, p;
    double rms = 1;
  };
  std::vector<Trial> trials;
  double z_ref = 1, p_ref = 1, b_ref = 1;
};

/// Parameters {A, B, n} of p/p_ref = (A b_ref/b + B) (z/z_ref)ⁿ, or {B, n} if there is one width.
struct BekkerResidual {
  const PlateData& data;
  FitMode mode;
  bool one_width;

  bool operator()(std::size_t trial, std::size_t point, const double* parameters, double offset,
                  double* residual, double* gradient) const {
    const PlateData::Trial& set = data.trials[trial];
    const double a = one_width ? 0 : parameters[0];
    const double b = parameters[one_width ? 0 : 1], n = parameters[one_width ? 1 : 2];
    const double modulus = a * set.inverse_width + b;
    const double z = set.z[point] + offset / data.z_ref;
    if (modulus <= 0) return false;
    if (mode == FitMode::log && z <= 0) return false;
    const double z_log = z > 0 ? std::log(z) : 0;
    const double power = z > 0 ? std::exp(n * z_log) : 0;  // no pressure before the plate touches
    const bool log = mode == FitMode::log;
    *residual =
        log ? std::log(modulus * power / set.p[point]) : (modulus * power - set.p[point]) / set.rms;
    if (gradient == nullptr) return true;
    // By the modulus, n and z; the logarithm's are those of the pressure divided by it.
    const double by_modulus = log ? 1 / modulus : power / set.rms;
    const double by_exponent = log ? z_log : modulus * power * z_log / set.rms;
    const double slope = z > 0 ? n / z : 0;
    const double by_sinkage = log ? slope : modulus * power * slope / set.rms;
    double* next = gradient;
    if (!one_width) *next++ = by_modulus * set.inverse_width;
    *next++ = by_modulus;
    *next++ = by_exponent;
    *next = by_sinkage / data.z_ref;
    return true;
  }
};

/// The points that count, of one trial.
PlateTest used_points(const PlateTest& test, const IdentifyOptions& options, LeftOut& left_out) {
  PlateTest used = test;
  used.points.clear();
  std::vector<double> travels;
  for (const PlatePoint& point : test.points) travels.push_back(point.sinkage);
  const std::vector<bool> loading = first_loading(travels);
  const double usual =
      options.fit == FitMode::log ? kShallow * *std::ranges::max_element(travels) : 0;
  const double least_sinkage = options.least_sinkage.value_or(usual);
  for (std::size_t i = 0; i < loading.size(); ++i) {
    const PlatePoint& point = test.points[i];
    if (!loading[i]) {
      ++left_out.unloading;
    } else if (point.sinkage <= 0 || point.sinkage < least_sinkage) {
      ++left_out.shallow;
    } else if (options.fit == FitMode::log && point.pressure <= 0) {
      ++left_out.no_pressure;
    } else {
      used.points.push_back(point);
    }
  }
  require_points(used);
  return used;
}

PlateData scaled(const std::vector<PlateTest>& tests) {
  PlateData data;
  double z_log = 0, p_square = 0, b_log = 0;
  for (const PlateTest& test : tests) {
    const auto points = static_cast<double>(test.points.size());
    for (const PlatePoint& point : test.points) {
      z_log += std::log(point.sinkage) / points;
      p_square += point.pressure * point.pressure / points;
    }
    b_log += std::log(test.width);
  }
  const auto count = static_cast<double>(tests.size());
  data.z_ref = std::exp(z_log / count);
  data.b_ref = std::exp(b_log / count);
  data.p_ref = std::sqrt(p_square / count);
  for (const PlateTest& test : tests) {
    PlateData::Trial trial{.inverse_width = data.b_ref / test.width, .z = {}, .p = {}};
    double sum = 0, square = 0;
    for (const PlatePoint& point : test.points) {
      trial.z.push_back(point.sinkage / data.z_ref);
      trial.p.push_back(point.pressure / data.p_ref);
      sum += trial.p.back();
      square += trial.p.back() * trial.p.back();
    }
    trial.rms = std::sqrt(square / static_cast<double>(trial.p.size()));
    if (!(sum > 0)) refuse_trial(test, "its pressures are not positive on average", "> 0 [Pa]");
    data.trials.push_back(std::move(trial));
  }
  return data;
}

TrialFitProblem make_problem(const std::vector<PlateTest>& tests, const PlateData& data,
                             const IdentifyOptions& options, bool one_width) {
  TrialFitProblem problem;
  problem.offsets = options.offset;
  problem.residual = BekkerResidual{data, options.fit, one_width};
  problem.start = {1, 1};
  problem.low = {kLeastModulus, kLeastExponent};
  problem.high = {kGreatestModulus, kGreatestExponent};
  if (!one_width) {
    problem.start.insert(problem.start.begin(), 0);
    problem.low.insert(problem.low.begin(), -kGreatestModulus);
    problem.high.insert(problem.high.begin(), kGreatestModulus);
  }
  std::set<double> widths;
  for (const PlateTest& test : tests) widths.insert(test.width);
  for (const PlateTest& test : tests) {
    const auto by_sinkage = [](const PlatePoint& point) { return point.sinkage; };
    const double first = std::ranges::min(test.points, {}, by_sinkage).sinkage;
    const double deepest = std::ranges::max(test.points, {}, by_sinkage).sinkage;
    // The logarithm needs every sinkage to stay positive.
    const double low = options.fit == FitMode::log ? -0.9 * first : -0.5 * deepest;
    problem.trials.push_back(
        {.points = test.points.size(),
         .stratum = static_cast<int>(std::distance(widths.begin(), widths.find(test.width))),
         .offset_low = low,
         .offset_high = 0.5 * deepest});
  }
  return problem;
}

/// {k_c, k_φ, n} in SI units.
std::vector<double> in_si(const PlateData& data, const std::vector<double>& scaled,
                          bool one_width) {
  const double n = scaled.back(), unit = data.p_ref / std::pow(data.z_ref, n);
  const double k_c = one_width ? 0 : scaled[0] * data.b_ref * unit;
  return {k_c, scaled[scaled.size() - 2] * unit, n};
}

void warn(PlateFit& fit, const TrialFitProblem& problem, const TrialFitSolution& solution) {
  auto& warnings = fit.warnings;
  if (fit.one_width) {
    warnings.push_back(fmt::format(
        "plates of one width only, b = {:.4g} mm: k_c and k_phi cannot be told apart; the modulus "
        "is k = k_c/b + k_phi of this width",
        1e3 * fit.least_width));
  }
  Soil soil;
  soil.cohesive_modulus = fit.cohesive_modulus.value;
  soil.frictional_modulus = fit.frictional_modulus.value;
  if (const double width = smallest_plate_width(soil); width > 0) {
    warnings.push_back(fmt::format(
        "k_c is negative: the law gives no pressure for b <= {:.3g} mm, and little just above; the "
        "plates had b = {:.4g} ... {:.4g} mm",
        1e3 * width, 1e3 * fit.least_width, 1e3 * fit.greatest_width));
  }
  const double n = solution.parameters.back();
  if (n < 1.001 * kLeastExponent || n > 0.999 * kGreatestExponent) {
    warnings.push_back(
        fmt::format("n stands at its bound, {:.3g}: these are not plate tests that "
                    "the law describes",
                    n));
  }
  if (solution.parameters[solution.parameters.size() - 2] < 2 * kLeastModulus) {
    warnings.emplace_back("k_phi stands at its bound, next to 0: k_c alone fits these plates best");
  }
  for (std::size_t t = 0; t < problem.trials.size() && problem.offsets; ++t) {
    const TrialFitProblem::Trial& trial = problem.trials[t];
    const double slack = 1e-6 * (trial.offset_high - trial.offset_low);
    const double offset = solution.offsets[t];
    if (offset > trial.offset_low + slack && offset < trial.offset_high - slack) continue;
    warnings.push_back(fmt::format("the offset of trial '{}' stands at its bound, {:.3g} mm",
                                   fit.trials[t].trial, 1e3 * offset));
  }
  if (!fit.one_width && std::abs(fit.correlation) > 0.95) {
    warnings.push_back(
        fmt::format("k_c and k_phi are correlated by {:.3f}: take them together or not at all",
                    fit.correlation));
  }
}

}  // namespace

std::vector<bool> first_loading(const std::vector<double>& travels) {
  constexpr double kTolerance = 0.01;  // of the furthest travel
  double furthest = 0;
  for (const double travel : travels) furthest = std::max(furthest, travel);
  std::vector<bool> loading;
  double so_far = -std::numeric_limits<double>::infinity();
  for (const double travel : travels) {
    so_far = std::max(so_far, travel);
    loading.push_back(travel >= so_far - kTolerance * furthest);
  }
  return loading;
}

double PlateFit::pressure(double width, double sinkage) const {
  return (cohesive_modulus.value / width + frictional_modulus.value) *
         std::pow(std::max(0.0, sinkage), exponent.value);
}

PlateFit identify_plates(const std::vector<PlateTest>& tests, const IdentifyOptions& options) {
  if (tests.empty()) throw Error(ErrorKind::input, {.message = "there is no plate test"});
  PlateFit fit;
  std::vector<PlateTest>& used = fit.used;
  for (const PlateTest& test : tests) used.push_back(used_points(test, options, fit.left_out));
  const auto [least, greatest] = std::ranges::minmax(used, {}, &PlateTest::width);
  fit.least_width = least.width;
  fit.greatest_width = greatest.width;
  fit.one_width = fit.least_width == fit.greatest_width;

  const PlateData data = scaled(used);
  const TrialFitProblem problem = make_problem(used, data, options, fit.one_width);
  const TrialFitSolution solution = solve_or_throw(problem, "plate tests");
  const Estimates estimates = estimate(
      problem, solution, options,
      [&](const std::vector<double>& set) { return in_si(data, set, fit.one_width); },
      {false, true, true}, fit);
  fit.cohesive_modulus = estimates.values[0];
  fit.frictional_modulus = estimates.values[1];
  fit.exponent = estimates.values[2];
  fit.correlation = correlation(estimates.samples[0], estimates.samples[1]);

  MisfitSum misfit;
  for (std::size_t t = 0; t < used.size(); ++t) {
    TrialMisfit trial{.trial = used[t].trial,
                      .level = used[t].width,
                      .group = problem.trials[t].stratum,
                      .points = used[t].points.size(),
                      .offset = solution.offsets[t]};
    for (const PlatePoint& point : used[t].points) {
      misfit.add(point.pressure, fit.pressure(trial.level, point.sinkage + trial.offset));
    }
    misfit.end_trial(trial, fit);
  }
  misfit.finish(fit);
  warn(fit, problem, solution);
  return fit;
}

}  // namespace grouser::internal
