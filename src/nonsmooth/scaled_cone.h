#pragma once

#include <span>
#include <vector>

#include "nonsmooth/cone_laws.h"
#include "nonsmooth/cone_problem.h"

/// Internal to nonsmooth: the problem as the methods see it.
namespace grouser {

/// Largest number of rows for which W is kept as a dense matrix: 60 contacts.
inline constexpr int kDenseRows = 180;

/// A cone problem in other units for each block, r = s r', u = u' / s, such that the mean of each block's
/// diagonal of W is one. Cones stay what they are, and 1 is a sensible ρ everywhere. Primes are dropped.
class ScaledCone {
 public:
  std::vector<ConeBlock> blocks;
  ConeMatrix W;
  std::vector<double> q;
  std::vector<double> scale;  ///< s of each block [kg^½]
  double q_norm = 1;          ///< |q| of the problem as given, 1 if that is zero [m/s]

  int rows() const { return W.size; }
  void build(const ConeProblem& problem);
  /// u = W r + q.
  void velocity(const double* r, double* u) const;
  /// cone_residual of the problem as given.
  double residual(const double* r, const double* u) const;

 private:
  void scale_matrix(const ConeMatrix& given);
  std::vector<double> row_scale_;
};

}  // namespace grouser
