#pragma once

#include <array>
#include <memory>
#include <span>

#include "nonsmooth/cone_problem.h"

namespace grouser::internal {

enum class ConeMethod {
  automatic,       ///< one after the other until one succeeds
  newton,          ///< semismooth Newton on Alart and Curnier's equations
  proximal,        ///< proximal point iteration, each step by Newton
  interior_point,  ///< primal-dual, on equations with complementarity relaxed less and less
  nsgs,            ///< block Gauss-Seidel with exact solutions of single blocks
};
const char* to_string(ConeMethod method);

struct ConeOptions {
  double tolerance = 1e-8;  ///< of cone_residual [-]
  ConeMethod method = ConeMethod::automatic;
  int max_iterations = 0;  ///< of each method; 0: as many as are sensible for it
  /// Newton's method goes on to this residual if it gets there; 0: no farther than the tolerance [-].
  double newton_tolerance = 0;
  /// A residual this good is not worth Gauss-Seidel and what comes after it on the ladder; it counts as
  /// not solved if it misses the tolerance [-].
  double good_enough = 0;
};

/// One method that was tried.
struct ConeTry {
  ConeMethod method = ConeMethod::automatic;
  int iterations = 0;
  double residual = 0;  ///< cone_residual that it left [-]
};

struct ConeReport {
  bool solved = false;  ///< residual <= tolerance
  double residual = 0;  ///< cone_residual of what was returned [-]
  int iterations = 0;   ///< of all methods tried
  int tries = 0;
  std::array<ConeTry, 12> tried;  ///< the first `tries` are valid, in the order of trying

  /// The method whose result was returned: the best one if none succeeded; `automatic` if none gave any.
  ConeMethod method() const;
};

/// Solves cone problems. Keeps its working memory, so that solving problems of sizes seen before allocates
/// nothing; a solver is for one thread. The result depends on the arguments only, to the bit.
class ConeSolver {
 public:
  ConeSolver();
  ~ConeSolver();
  ConeSolver(ConeSolver&&) noexcept;
  ConeSolver& operator=(ConeSolver&&) noexcept;

  /// `r`: in: where to start (zeros if nothing is known); out: the impulses. A problem that was not solved
  /// is reported so; r is then the best found among those that are not absurd, ten times what would
  /// stop all motion.
  ConeReport solve(const ConeProblem& problem, const ConeOptions& options, std::span<double> r);

 private:
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace grouser::internal
