#include "nonsmooth/cone_solver.h"

#include <algorithm>

#include "nonsmooth/methods.h"

namespace grouser {

struct ConeSolver::Scratch {
  ScaledCone cone;
  std::vector<double> start, r, best;
  Nsgs nsgs;
  Newton newton;
};

const char* to_string(ConeMethod method) {
  switch (method) {
    case ConeMethod::automatic:
      return "automatic";
    case ConeMethod::newton:
      return "newton";
    case ConeMethod::interior:
      return "interior";
    case ConeMethod::proximal:
      return "proximal";
    case ConeMethod::admm:
      return "admm";
    case ConeMethod::nsgs:
      return "nsgs";
  }
  return "";
}

ConeMethod ConeReport::method() const {
  const auto end = tried.begin() + tries;
  const auto better = [](const ConeTry& a, const ConeTry& b) { return a.residual < b.residual; };
  return tries == 0 ? ConeMethod::automatic : std::min_element(tried.begin(), end, better)->method;
}

ConeSolver::ConeSolver() : scratch_(std::make_unique<Scratch>()) {}
ConeSolver::~ConeSolver() = default;
ConeSolver::ConeSolver(ConeSolver&&) noexcept = default;
ConeSolver& ConeSolver::operator=(ConeSolver&&) noexcept = default;

ConeReport ConeSolver::solve(const ConeProblem& problem, const ConeOptions& options,
                             std::span<double> r) {
  Scratch& s = *scratch_;
  s.cone.build(problem);
  const auto to_scaled = [&s](std::span<const double> from, std::vector<double>& to) {
    to.resize(from.size());
    for (std::size_t b = 0; b < s.cone.blocks.size(); ++b) {
      const ConeBlock& block = s.cone.blocks[b];
      for (int k = 0; k < rows_of(block.kind); ++k) {
        const std::size_t row = static_cast<std::size_t>(block.row + k);
        to[row] = from[row] / s.cone.scale[b];
      }
    }
  };
  to_scaled(r, s.start);
  s.best = s.start;
  ConeReport report{.residual = std::numeric_limits<double>::infinity()};
  const auto attempt = [&](auto& method, int iterations, const std::vector<double>& from) {
    s.r = from;
    const ConeTry result = method.run(
        s.cone,
        {.tolerance = options.tolerance,
         .max_iterations = options.max_iterations > 0 ? options.max_iterations : iterations},
        s.r.data());
    report.tried[static_cast<std::size_t>(report.tries++)] = result;
    report.iterations += result.iterations;
    if (result.residual < report.residual) {
      report.residual = result.residual;
      s.best = s.r;
    }
    report.solved = report.residual <= options.tolerance;
  };
  const bool all = options.method == ConeMethod::automatic;
  if (s.cone.W.is_dense() && (all || options.method == ConeMethod::newton)) {
    attempt(s.newton, 50, s.start);
  }
  if (!report.solved && (all || options.method == ConeMethod::nsgs)) {
    attempt(s.nsgs, 100000, s.start);
  }
  for (std::size_t b = 0; b < s.cone.blocks.size(); ++b) {
    const ConeBlock& block = s.cone.blocks[b];
    for (int k = 0; k < rows_of(block.kind); ++k) {
      const std::size_t row = static_cast<std::size_t>(block.row + k);
      r[row] = s.best[row] * s.cone.scale[b];
    }
  }
  return report;
}

}  // namespace grouser
