#include "nonsmooth/cone_solver.h"

#include <algorithm>
#include <limits>

#include "nonsmooth/methods.h"

namespace grouser {

struct ConeSolver::Scratch {
  ScaledCone cone;
  std::vector<double> start, r;
  BestImpulses best;
  Newton newton;
  Proximal proximal;
  Smoothing smoothing;
  Admm admm;
  Nsgs nsgs;

  ConeTry run(ConeMethod method, const MethodLimits& limits, Newton::Start start);
};

namespace {

struct Rung {
  ConeMethod method;
  int max_iterations;
  Newton::Start start = Newton::Start::given;
  bool from_zero = false;  ///< rather than where the caller said
};

/// What `automatic` tries, quickest first. None begins where another ended, so that the result of one does not
/// depend on the failures before it.
constexpr std::array<Rung, 6> kSparseLadder = {{{ConeMethod::newton, 40},
                                                {ConeMethod::newton, 40, Newton::Start::sticking},
                                                {ConeMethod::proximal, 400},
                                                {ConeMethod::smoothing, 150},
                                                {ConeMethod::admm, 2000},
                                                {ConeMethod::nsgs, 20000}}};
/// With few contacts, smoothing from nothing solves most of what Newton's method leaves: rovers whose wheels
/// are wedged between floor and step.
constexpr std::array<Rung, 8> kDenseLadder = {
    {{ConeMethod::newton, 40},
     {ConeMethod::newton, 40, Newton::Start::sticking},
     {ConeMethod::smoothing, 150, Newton::Start::given, true},
     {ConeMethod::proximal, 400},
     {ConeMethod::smoothing, 150},
     {ConeMethod::proximal, 400, Newton::Start::given, true},
     {ConeMethod::admm, 2000},
     {ConeMethod::nsgs, 20000}}};

}  // namespace

const char* to_string(ConeMethod method) {
  switch (method) {
    case ConeMethod::automatic:
      return "automatic";
    case ConeMethod::newton:
      return "newton";
    case ConeMethod::proximal:
      return "proximal";
    case ConeMethod::smoothing:
      return "smoothing";
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

ConeTry ConeSolver::Scratch::run(ConeMethod method, const MethodLimits& limits,
                                 Newton::Start begin) {
  switch (method) {
    case ConeMethod::newton:
      return newton.run(cone, limits, begin, r.data());
    case ConeMethod::proximal:
      return proximal.run(cone, limits, r.data());
    case ConeMethod::smoothing:
      return smoothing.run(cone, limits, r.data());
    case ConeMethod::admm:
      return admm.run(cone, limits, r.data());
    default:
      return nsgs.run(cone, limits, r.data());
  }
}

ConeSolver::ConeSolver() : scratch_(std::make_unique<Scratch>()) {}
ConeSolver::~ConeSolver() = default;
ConeSolver::ConeSolver(ConeSolver&&) noexcept = default;
ConeSolver& ConeSolver::operator=(ConeSolver&&) noexcept = default;

ConeReport ConeSolver::solve(const ConeProblem& problem, const ConeOptions& options,
                             std::span<double> r) {
  ConeReport report;
  if (problem.blocks.empty()) {
    report.solved = true;
    return report;
  }
  Scratch& s = *scratch_;
  s.cone.build(problem);
  s.cone.to_scaled(r, s.start);
  s.best.begin(s.start.data(), s.start.size(), std::numeric_limits<double>::infinity());
  const bool is_cold = std::all_of(r.begin(), r.end(), [](double x) { return x == 0; });
  const std::span<const Rung> ladder =
      s.cone.is_dense() ? std::span<const Rung>(kDenseLadder) : kSparseLadder;
  for (const Rung& rung : ladder) {
    if (options.method != ConeMethod::automatic && options.method != rung.method) continue;
    const bool is_slow = rung.method == ConeMethod::admm || rung.method == ConeMethod::nsgs;
    if (is_slow && report.tries > 0 && report.residual <= options.good_enough) break;
    // With many contacts and nothing known, the first seldom succeeds.
    if (rung.method == ConeMethod::newton && rung.start == Newton::Start::given && is_cold &&
        !s.cone.is_dense()) {
      continue;
    }
    s.r = s.start;
    if (rung.from_zero) {
      if (is_cold) continue;
      std::ranges::fill(s.r, 0.0);
    }
    const bool is_newton = rung.method == ConeMethod::newton;
    const MethodLimits limits{.tolerance = is_newton && options.newton_tolerance > 0
                                               ? options.newton_tolerance
                                               : options.tolerance,
                              .max_iterations = options.max_iterations > 0 ? options.max_iterations
                                                                           : rung.max_iterations};
    const ConeTry result = s.run(rung.method, limits, rung.start);
    s.best.offer(s.r.data(), result.residual);
    report.tried[static_cast<std::size_t>(report.tries++)] = result;
    report.iterations += result.iterations;
    report.residual = s.best.residual;
    report.solved = report.residual <= options.tolerance;
    if (report.solved) break;
  }
  s.cone.from_scaled(s.best.r, r);
  return report;
}

}  // namespace grouser
