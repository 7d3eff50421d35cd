#pragma once

#include <vector>

#include "nonsmooth/cone_problem.h"

namespace grouser::internal {

enum class SiconosSolver { nsgs, newton, proximal, admm };

struct SiconosResult {
  double ms = 0;             ///< wall time of the solver alone, without setting up the matrix
  bool has_given_up = true;  ///< it says itself that it missed its tolerance
  std::vector<double> r;
};

#ifdef GROUSER_WITH_SICONOS
inline constexpr bool kHasSiconos = true;
#else
inline constexpr bool kHasSiconos = false;
#endif

/// Solves a problem of cone blocks only with Siconos Numerics, from zero, to a tolerance of its own error and with as
/// many iterations as it takes by default or more. It may print. Whether it succeeded is for cone_residual to say.
/// Throws Error(usage) if the program was built without it.
SiconosResult solve_by_siconos(const ConeProblem& problem, SiconosSolver solver, double tolerance);

}  // namespace grouser::internal
