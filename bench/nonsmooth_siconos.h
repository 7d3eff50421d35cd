#pragma once

#include <optional>
#include <vector>

#include "nonsmooth/cone_problem.h"

namespace grouser {

enum class SiconosSolver { nsgs, newton, proximal, admm };

struct SiconosResult {
  double ms = 0;  ///< wall time of the solver alone, without setting up the matrix
  std::vector<double> r;
};

/// Solves a problem of cone blocks only with Siconos Numerics, from zero, to its own error of 1e-8. Nothing if
/// the program was built without it. Whether it succeeded is for cone_residual to say.
std::optional<SiconosResult> solve_by_siconos(const ConeProblem& problem, SiconosSolver solver);

}  // namespace grouser
