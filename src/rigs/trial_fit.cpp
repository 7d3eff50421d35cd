#include "rigs/trial_fit.h"

#include <ceres/ceres.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/parallel.h"
#include "core/rng.h"

namespace grouser::internal {
namespace {

constexpr int kMostIterations = 500;

class TrialCost : public ceres::CostFunction {
 public:
  TrialCost(const TrialFitProblem& problem, std::size_t trial, double weight)
      : problem_(problem), trial_(trial) {
    const std::size_t points = problem.trials[trial].points;
    scale_ = std::sqrt(weight / static_cast<double>(points));
    set_num_residuals(static_cast<int>(points));
    mutable_parameter_block_sizes()->push_back(static_cast<int>(problem.start.size()));
    if (problem.offsets) mutable_parameter_block_sizes()->push_back(1);
  }

  bool Evaluate(double const* const* parameters, double* residuals,
                double** jacobians) const override {
    const std::size_t count = problem_.start.size();
    if (problem_.whole) return evaluate_whole(parameters[0], residuals, jacobians);
    std::vector<double> gradient(count + 1);
    const double offset = problem_.offsets ? parameters[1][0] : 0;
    for (std::size_t i = 0; i < problem_.trials[trial_].points; ++i) {
      double* wanted = jacobians != nullptr ? gradient.data() : nullptr;
      if (!problem_.residual(trial_, i, parameters[0], offset, &residuals[i], wanted)) return false;
      residuals[i] *= scale_;
      if (wanted == nullptr) continue;
      for (std::size_t k = 0; k < count && jacobians[0] != nullptr; ++k) {
        jacobians[0][i * count + k] = scale_ * gradient[k];
      }
      if (problem_.offsets && jacobians[1] != nullptr) jacobians[1][i] = scale_ * gradient[count];
    }
    return true;
  }

 private:
  bool evaluate_whole(const double* parameters, double* residuals, double** jacobians) const {
    const std::size_t points = problem_.trials[trial_].points, count = problem_.start.size();
    double* jacobian = jacobians != nullptr ? jacobians[0] : nullptr;
    if (!problem_.whole(trial_, parameters, residuals, jacobian)) return false;
    for (std::size_t i = 0; i < points; ++i) residuals[i] *= scale_;
    for (std::size_t i = 0; jacobian != nullptr && i < points * count; ++i) jacobian[i] *= scale_;
    return true;
  }

  const TrialFitProblem& problem_;
  std::size_t trial_;
  double scale_;
};

void set_bounds(ceres::Problem& problem, double* block, int index, double low, double high) {
  problem.SetParameterLowerBound(block, index, low);
  problem.SetParameterUpperBound(block, index, high);
}

// The linearised problem at its solution, free parameters and offsets together.
struct Linearisation {
  Eigen::MatrixXd information;    // sum of Jᵀ J
  Eigen::MatrixXd scatter;        // covariance of the gradient, in units of the variance
  double mean_square = 0;         // of the residuals, mean over trials
  double independent_points = 0;  // over all trials
};

double independent_points(const std::vector<double>& residuals) {
  double square = 0, product = 0;
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    square += residuals[i] * residuals[i];
    if (i > 0) product += residuals[i] * residuals[i - 1];
  }
  const double r = square > 0 ? std::clamp(product / square, 0.0, 1.0) : 0;
  return std::max(1.0, static_cast<double>(residuals.size()) * (1 - r) / (1 + r));
}

Linearisation linearise(const TrialFitProblem& problem, const TrialFitSolution& solution) {
  const auto count = static_cast<Eigen::Index>(problem.start.size());
  const auto trials = static_cast<Eigen::Index>(problem.trials.size());
  const Eigen::Index size = count + (problem.offsets ? trials : 0);
  Linearisation result{Eigen::MatrixXd::Zero(size, size), Eigen::MatrixXd::Zero(size, size)};
  for (Eigen::Index t = 0; t < trials; ++t) {
    const auto trial = static_cast<std::size_t>(t);
    const std::size_t points = problem.trials[trial].points;
    Eigen::MatrixXd jacobian = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(points), size);
    const std::size_t shared = problem.start.size();
    std::vector<double> residuals(points), gradient(shared + 1), rows(points * shared);
    if (problem.whole) {
      problem.whole(trial, solution.parameters.data(), residuals.data(), rows.data());
    }
    for (std::size_t i = 0; i < points; ++i) {
      if (problem.whole) {
        std::copy_n(rows.data() + i * shared, shared, gradient.data());
      } else {
        problem.residual(trial, i, solution.parameters.data(), solution.offsets[trial],
                         &residuals[i], gradient.data());
      }
      const auto row = static_cast<Eigen::Index>(i);
      for (Eigen::Index k = 0; k < count; ++k) {
        jacobian(row, k) = gradient[static_cast<std::size_t>(k)];
      }
      if (problem.offsets) jacobian(row, count + t) = gradient.back();
      result.mean_square += residuals[i] * residuals[i] / static_cast<double>(points);
    }
    const double independent = independent_points(residuals);
    const Eigen::MatrixXd block = jacobian.transpose() * jacobian / static_cast<double>(points);
    result.information += block;
    result.scatter += block / independent;
    result.independent_points += independent;
  }
  result.mean_square /= static_cast<double>(trials);
  return result;
}

// A parameter at its bound is held there.
bool is_free(const TrialFitProblem& problem, const TrialFitSolution& solution, std::size_t k) {
  const double slack = 1e-9 * (problem.high[k] - problem.low[k]);
  return solution.parameters[k] > problem.low[k] + slack &&
         solution.parameters[k] < problem.high[k] - slack;
}

}  // namespace

TrialFitSolution solve(const TrialFitProblem& problem, const std::vector<double>& weights,
                       const TrialFitSolution& from) {
  TrialFitSolution solution = from;
  double* shared = solution.parameters.data();
  ceres::Problem least_squares;
  least_squares.AddParameterBlock(shared, static_cast<int>(problem.start.size()));
  for (std::size_t k = 0; k < problem.start.size(); ++k) {
    set_bounds(least_squares, shared, static_cast<int>(k), problem.low[k], problem.high[k]);
  }
  for (std::size_t t = 0; t < problem.trials.size(); ++t) {
    if (weights[t] <= 0) continue;
    auto* cost = new TrialCost(problem, t, weights[t]);  // owned by least_squares
    if (!problem.offsets) {
      least_squares.AddResidualBlock(cost, nullptr, shared);
      continue;
    }
    double* offset = &solution.offsets[t];
    least_squares.AddResidualBlock(cost, nullptr, shared, offset);
    set_bounds(least_squares, offset, 0, problem.trials[t].offset_low,
               problem.trials[t].offset_high);
  }
  ceres::Solver::Options options;
  options.linear_solver_type = ceres::DENSE_QR;
  options.max_num_iterations = kMostIterations;
  options.function_tolerance = 1e-15;
  options.gradient_tolerance = 1e-14;
  options.parameter_tolerance = 1e-12;
  options.logging_type = ceres::SILENT;
  ceres::Solver::Summary summary;
  ceres::Solve(options, &least_squares, &summary);
  solution.converged = summary.termination_type == ceres::CONVERGENCE;
  solution.message = summary.message;
  return solution;
}

TrialFitSolution solve(const TrialFitProblem& problem) {
  TrialFitSolution start;
  start.parameters = problem.start;
  start.offsets.assign(problem.trials.size(), 0.0);
  return solve(problem, std::vector<double>(problem.trials.size(), 1.0), start);
}

namespace {

// Numbers of the trials of each stratum.
std::vector<std::vector<std::size_t>> strata_of(const TrialFitProblem& problem) {
  std::vector<std::vector<std::size_t>> strata;
  for (std::size_t t = 0; t < problem.trials.size(); ++t) {
    const auto stratum = static_cast<std::size_t>(problem.trials[t].stratum);
    if (strata.size() <= stratum) strata.resize(stratum + 1);
    strata[stratum].push_back(t);
  }
  return strata;
}

}  // namespace

bool can_resample(const TrialFitProblem& problem) {
  return problem.trials.size() >= 3 &&
         std::ranges::all_of(strata_of(problem),
                             [](const auto& trials) { return trials.size() >= 2; });
}

ParameterSamples resample(const TrialFitProblem& problem, const TrialFitSolution& solution,
                          int count, std::uint64_t seed) {
  const auto strata = strata_of(problem);
  std::vector<TrialFitSolution> solutions(static_cast<std::size_t>(count));
  parallel_for(solutions.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      CounterRng rng(seed, i);
      std::vector<double> weights(problem.trials.size(), 0.0);
      for (const std::vector<std::size_t>& trials : strata) {
        const auto m = static_cast<double>(trials.size());
        for (std::size_t k = 0; k + 1 < trials.size(); ++k) {
          weights[trials[rng.index(trials.size())]] += m / (m - 1);
        }
      }
      solutions[i] = solve(problem, weights, solution);
    }
  });
  ParameterSamples samples;
  for (TrialFitSolution& sample : solutions) {
    if (sample.converged) {
      samples.sets.push_back(std::move(sample.parameters));
    } else {
      ++samples.failed;
    }
  }
  samples.degrees = std::max(1.0, static_cast<double>(problem.trials.size() - strata.size()));
  return samples;
}

bool is_determined(const TrialFitProblem& problem, const TrialFitSolution& solution) {
  constexpr double kSmallest = 1e-11;
  Eigen::MatrixXd matrix = linearise(problem, solution).information;
  for (Eigen::Index k = 0; k < matrix.rows(); ++k) {
    const auto index = static_cast<std::size_t>(k);
    if (index < problem.start.size() && !is_free(problem, solution, index)) {
      matrix.row(k).setZero();
      matrix.col(k).setZero();
      matrix(k, k) = 1;
    }
    if (!(matrix(k, k) > 0)) return false;
  }
  const Eigen::VectorXd scale = matrix.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd scaled = scale.asDiagonal() * matrix * scale.asDiagonal();
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(scaled).eigenvalues().minCoeff() >
         kSmallest;
}

ParameterSamples draw_from_covariance(const TrialFitProblem& problem,
                                      const TrialFitSolution& solution, int count,
                                      std::uint64_t seed) {
  Linearisation linear = linearise(problem, solution);
  const auto parameters = static_cast<Eigen::Index>(problem.start.size());
  const auto unknowns = static_cast<double>(linear.information.rows());
  for (Eigen::Index k = 0; k < parameters; ++k) {
    if (is_free(problem, solution, static_cast<std::size_t>(k))) continue;
    linear.information.row(k).setZero();
    linear.information.col(k).setZero();
  }
  const Eigen::MatrixXd inverse =
      linear.information.completeOrthogonalDecomposition().pseudoInverse();
  ParameterSamples samples;
  samples.resampled = false;
  samples.degrees = std::max(1.0, linear.independent_points - unknowns);
  const double variance = linear.mean_square * linear.independent_points / samples.degrees;
  const Eigen::MatrixXd covariance = (variance * inverse * linear.scatter * inverse.transpose())
                                         .topLeftCorner(parameters, parameters);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(covariance);
  const Eigen::MatrixXd root =
      eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
  CounterRng rng(seed);
  for (int i = 0; i < count; ++i) {
    Eigen::VectorXd normal(parameters);
    for (double& value : normal) value = rng.normal();
    const Eigen::VectorXd shift = root * normal;
    std::vector<double> set = solution.parameters;
    for (std::size_t k = 0; k < set.size(); ++k) {
      const double moved = set[k] + shift[static_cast<Eigen::Index>(k)];
      set[k] = std::clamp(moved, problem.low[k], problem.high[k]);
    }
    samples.sets.push_back(std::move(set));
  }
  return samples;
}

double student_t(double degrees) {
  // By 1/degrees, in which t is nearly straight.
  constexpr std::array<std::pair<double, double>, 16> kTable = {{{1, 12.706},
                                                                 {1.25, 8.028},
                                                                 {1.5, 6.017},
                                                                 {2, 4.303},
                                                                 {2.5, 3.575},
                                                                 {3, 3.182},
                                                                 {4, 2.776},
                                                                 {5, 2.571},
                                                                 {6, 2.447},
                                                                 {8, 2.306},
                                                                 {10, 2.228},
                                                                 {15, 2.131},
                                                                 {20, 2.086},
                                                                 {30, 2.042},
                                                                 {60, 2.000},
                                                                 {1e9, 1.960}}};
  for (std::size_t i = 1; i < kTable.size(); ++i) {
    if (degrees > kTable[i].first) continue;
    const auto& [d0, t0] = kTable[i - 1];
    const auto& [d1, t1] = kTable[i];
    return t1 + (t0 - t1) * (1 / degrees - 1 / d1) / (1 / d0 - 1 / d1);
  }
  return kTable.back().second;
}

Interval interval_95(std::vector<double> samples, double estimate, double degrees, bool positive) {
  if (samples.empty()) return {estimate, estimate};
  std::ranges::sort(samples);
  const auto quantile = [&samples](double fraction) {
    const double place = fraction * static_cast<double>(samples.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, samples.size() - 1);
    return samples[below] +
           (place - static_cast<double>(below)) * (samples[above] - samples[below]);
  };
  const double stretch = student_t(degrees) / 1.96;
  const auto stretched = [&](double end) {
    if (positive) return estimate * std::pow(end / estimate, stretch);
    return estimate + stretch * (end - estimate);
  };
  // The estimate itself always belongs to it, also where all samples lie on one side.
  return {std::min(estimate, stretched(quantile(0.025))),
          std::max(estimate, stretched(quantile(0.975)))};
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const auto count = static_cast<Eigen::Index>(std::min(a.size(), b.size()));
  if (count == 0) return 0;
  const Eigen::Map<const Eigen::ArrayXd> x(a.data(), count), y(b.data(), count);
  const Eigen::ArrayXd dx = x - x.mean(), dy = y - y.mean();
  const double scale = std::sqrt(dx.square().sum() * dy.square().sum());
  return scale > 0 ? (dx * dy).sum() / scale : 0;
}

}  // namespace grouser::internal
