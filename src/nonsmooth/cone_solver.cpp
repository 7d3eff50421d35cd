#include "nonsmooth/cone_solver.h"

#include <algorithm>
#include <limits>

#include "nonsmooth/methods.h"

namespace grouser {

namespace {

enum class Start {
  given,     // where the caller said
  sticking,  // from there to where nothing would move; for Newton's method
  best,      // the best found so far
};

enum class Case {
  any,
  easy,  // few contacts, or something is known to begin with
  hard,  // the others
};

struct Rung {
  ConeMethod method;
  int max_iterations;
  Start start = Start::given;
  Case when = Case::any;
};

/// What `automatic` tries, quickest first. With few contacts, or from the step before, the interior point method solves
/// most of what Newton's method leaves: wheels wedged between floor and step, heaps that jam.
constexpr std::array<Rung, 8> kLadder = {
    {{ConeMethod::newton, 40},
     {ConeMethod::newton, 40, Start::sticking},
     {ConeMethod::interior_point, 80, Start::given, Case::easy},
     {ConeMethod::proximal, 400},
     {ConeMethod::interior_point, 80, Start::given, Case::hard},
     {ConeMethod::proximal, 400, Start::best},
     {ConeMethod::nsgs, 2000, Start::best},
     {ConeMethod::proximal, 400, Start::best}}};

/// What is done if one method is asked for.
constexpr std::array<Rung, 5> kSingle = {{{ConeMethod::newton, 100},
                                          {ConeMethod::newton, 100, Start::sticking},
                                          {ConeMethod::proximal, 1000},
                                          {ConeMethod::interior_point, 200},
                                          {ConeMethod::nsgs, 100000}}};

}  // namespace

struct ConeSolver::Scratch {
  ScaledCone cone;
  std::vector<double> start, r;
  BestImpulses best;
  Newton newton;
  Proximal proximal;
  InteriorPoint interior_point;
  Nsgs nsgs;

  ConeTry run(const Rung& rung, const ConeOptions& options);
  bool is_worth_trying(const Rung& rung) const;
};

const char* to_string(ConeMethod method) {
  switch (method) {
    case ConeMethod::automatic:
      return "automatic";
    case ConeMethod::newton:
      return "newton";
    case ConeMethod::proximal:
      return "proximal";
    case ConeMethod::interior_point:
      return "interior_point";
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

ConeTry ConeSolver::Scratch::run(const Rung& rung, const ConeOptions& options) {
  const bool is_newton = rung.method == ConeMethod::newton;
  const MethodLimits limits{
      .tolerance =
          is_newton && options.newton_tolerance > 0 ? options.newton_tolerance : options.tolerance,
      .max_iterations = options.max_iterations > 0 ? options.max_iterations : rung.max_iterations};
  r = rung.start == Start::best ? best.r : start;
  switch (rung.method) {
    case ConeMethod::newton:
      return newton.run(cone, limits, rung.start == Start::sticking, r.data());
    case ConeMethod::proximal:
      return proximal.run(cone, limits, r.data());
    case ConeMethod::interior_point:
      return interior_point.run(cone, limits, r.data());
    default:
      return nsgs.run(cone, limits, r.data());
  }
}

/// With many contacts and nothing known, Newton's method from zero seldom succeeds.
bool ConeSolver::Scratch::is_worth_trying(const Rung& rung) const {
  const bool are_few = cone.size() <= ScaledCone::kFewBlocks;
  const bool is_cold = std::all_of(start.begin(), start.end(), [](double x) { return x == 0; });
  const bool is_easy = are_few || !is_cold;
  if (rung.when != Case::any && is_easy != (rung.when == Case::easy)) return false;
  return rung.method != ConeMethod::newton || rung.start != Start::given || is_easy;
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
  report.residual = std::numeric_limits<double>::infinity();
  Scratch& s = *scratch_;
  s.cone.build(problem);
  s.cone.to_scaled(r, s.start);
  s.best.begin(s.start.data(), s.start.size(), std::numeric_limits<double>::infinity());
  const bool is_automatic = options.method == ConeMethod::automatic;
  const std::span<const Rung> rungs = is_automatic ? std::span<const Rung>(kLadder) : kSingle;
  for (const Rung& rung : rungs) {
    if (!is_automatic && rung.method != options.method) continue;
    if (!s.is_worth_trying(rung)) continue;
    if (rung.method == ConeMethod::nsgs && report.residual <= options.good_enough) break;
    const ConeTry result = s.run(rung, options);
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
