#include "nonsmooth/cone_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "nonsmooth/methods.h"

namespace grouser::internal {

namespace {

enum class Start {
  given,     // where the caller said
  sticking,  // from there to where nothing would move; for Newton's method
  best,      // the best found so far
  last,      // where the method before ended
};

enum class Case {
  any,
  easy,     // few contacts, or something is known to begin with
  hard,     // the others
  crowded,  // many contacts of one body
};

struct Rung {
  ConeMethod method;
  int max_iterations;
  Start start = Start::given;
  Case when = Case::any;
  double size = 1;           // of the impulses that the interior point method begins with
  bool last_resort = false;  // not worth it if the residual is good enough
};

/// What `automatic` tries, quickest first. With few contacts, or from the step before, the interior point method solves
/// most of what Newton's method leaves: wheels wedged between floor and step, heaps that jam. Begun with large
/// impulses, it brings light bodies that bear heavy ones to where the proximal method succeeds. Of one body with
/// many contacts W is full but of rank six: factoring it takes long, and sweeps are cheap and few.
constexpr std::array<Rung, 13> kLadder = {
    {{ConeMethod::nsgs, 100, Start::given, Case::crowded},
     {ConeMethod::newton, 40},
     {ConeMethod::newton, 40, Start::sticking},
     {ConeMethod::interior_point, 80, Start::given, Case::easy},
     {ConeMethod::proximal, 400},
     {ConeMethod::interior_point, 80, Start::given, Case::hard},
     {ConeMethod::proximal, 400, Start::best},
     {ConeMethod::interior_point, 200, Start::given, Case::any, 1e6, true},
     {ConeMethod::proximal, 400, Start::last, Case::any, 1, true},
     {ConeMethod::interior_point, 200, Start::given, Case::any, 1e3, true},
     {ConeMethod::proximal, 1000, Start::last, Case::any, 1, true},
     {ConeMethod::nsgs, 2000, Start::best, Case::any, 1, true},
     {ConeMethod::proximal, 400, Start::best, Case::any, 1, true}}};

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

  std::array<std::vector<double>, 12> results;  // of the methods tried

  ConeTry run(const Rung& rung, const ConeOptions& options);
  bool is_worth_trying(const Rung& rung) const;
  double largest(const std::vector<double>& scaled, std::span<double> r) const;
  void keep_sensible(ConeReport& report, std::span<double> r);
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
  const auto is_mine = [&](const ConeTry& each) { return each.residual == residual; };
  const auto found = std::find_if(tried.begin(), end, is_mine);
  return found == end ? ConeMethod::automatic : found->method;
}

ConeTry ConeSolver::Scratch::run(const Rung& rung, const ConeOptions& options) {
  const bool is_newton = rung.method == ConeMethod::newton;
  // Methods aim below the tolerance, so that rounding does not take a solution back over it.
  constexpr double kAim = 0.5;
  const MethodLimits limits{
      .tolerance = kAim * (is_newton && options.newton_tolerance > 0 ? options.newton_tolerance
                                                                     : options.tolerance),
      .max_iterations = options.max_iterations > 0 ? options.max_iterations : rung.max_iterations};
  if (rung.start != Start::last) r = rung.start == Start::best ? best.r : start;
  switch (rung.method) {
    case ConeMethod::newton:
      return newton.run(cone, limits, rung.start == Start::sticking, r.data());
    case ConeMethod::proximal:
      return proximal.run(cone, limits, r.data());
    case ConeMethod::interior_point:
      return interior_point.run(cone, limits, rung.size, r.data());
    default:
      return nsgs.run(cone, limits, r.data());
  }
}

/// With many contacts and nothing known, Newton's method from zero seldom succeeds.
bool ConeSolver::Scratch::is_worth_trying(const Rung& rung) const {
  const bool are_few = cone.size() <= ScaledCone::kFewBlocks;
  const bool is_cold = std::all_of(start.begin(), start.end(), [](double x) { return x == 0; });
  const bool is_easy = are_few || !is_cold;
  if (rung.when == Case::crowded) return !are_few && cone.is_full();
  if (rung.when != Case::any && is_easy != (rung.when == Case::easy)) return false;
  return rung.method != ConeMethod::newton || rung.start != Start::given || is_easy;
}

/// Largest impulse in the units of the problem as given; r is working memory.
double ConeSolver::Scratch::largest(const std::vector<double>& scaled, std::span<double> r) const {
  cone.from_scaled(scaled, r);
  double most = 0;
  for (const double x : r) most = std::max(most, std::abs(x));
  return most;
}

/// Of results that missed the tolerance, the best that a mechanism might have: a residual is no worse for impulses
/// that hold each other in check, however large.
void ConeSolver::Scratch::keep_sensible(ConeReport& report, std::span<double> given) {
  constexpr double kAbsurd = 10;
  r = start;
  newton.stick(cone, r.data());
  const double limit = kAbsurd * std::max(largest(r, given), largest(start, given));
  if (largest(best.r, given) <= limit) return;
  best.begin(newton.best().r.data(), start.size(), newton.best().residual);
  for (int k = 0; k < report.tries; ++k) {
    const std::size_t i = static_cast<std::size_t>(k);
    if (largest(results[i], given) <= limit)
      best.offer(results[i].data(), report.tried[i].residual);
  }
  report.residual = best.residual;
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
    if (rung.last_resort && report.residual <= options.good_enough) break;
    const ConeTry result = s.run(rung, options);
    s.best.offer(s.r.data(), result.residual);
    s.results[static_cast<std::size_t>(report.tries)] = s.r;
    report.tried[static_cast<std::size_t>(report.tries++)] = result;
    report.iterations += result.iterations;
    report.residual = s.best.residual;
    report.solved = report.residual <= options.tolerance;
    if (report.solved) break;
  }
  if (!report.solved) s.keep_sensible(report, r);
  s.cone.from_scaled(s.best.r, r);
  return report;
}

}  // namespace grouser::internal
