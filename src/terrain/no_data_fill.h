#pragma once

#include <cstddef>
#include <vector>

namespace grouser::internal {

/// How a hole was closed.
struct FillReport {
  std::size_t filled = 0;  ///< nodes that had no data
  int iterations = 0;      ///< of the solver
  double residual = 0;     ///< largest height of a filled node over the mean of its neighbours [m]
  bool converged = true;
};

/// Both replace what is not a number among nx x ny heights, at least one of which is a number.

/// By the nearest node with data, Euclidean; of equally near ones always the same.
FillReport fill_nearest(std::vector<double>& heights, int nx, int ny);

/// By the discrete harmonic surface: every filled node is the mean of its four neighbours (three at
/// a border, two at a corner), a membrane spanned by the edges of the hole. It has no extremes of
/// its own.
FillReport fill_harmonic(std::vector<double>& heights, int nx, int ny);

}  // namespace grouser::internal
