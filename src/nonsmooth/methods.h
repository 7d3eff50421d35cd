#pragma once

#include "nonsmooth/cone_solver.h"
#include "nonsmooth/dense_lu.h"
#include "nonsmooth/scaled_cone.h"

/// Internal to nonsmooth: the methods. Each begins at r, improves it and says how far it came; what it
/// leaves is the best it met.
namespace grouser {

struct MethodLimits {
  double tolerance;
  int max_iterations;
};

/// Block Gauss-Seidel: each block in turn is solved exactly with the others held.
class Nsgs {
 public:
  ConeTry run(const ScaledCone& cone, const MethodLimits& limits, double* r);
  /// So many passes over all blocks, without asking how good the result is.
  void sweep(const ScaledCone& cone, int passes, double* r);

 private:
  std::vector<double> u_;
};

/// Semismooth Newton on F(r) = r - P(r - u) = 0 with P of Alart and Curnier: the tangential impulse is
/// projected on the disk that belongs to the normal impulse predicted, not on the cone. Line search on |F|.
/// Alart & Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991).
class Newton {
 public:
  ConeTry run(const ScaledCone& cone, const MethodLimits& limits, double* r);

 private:
  double evaluate(const ScaledCone& cone, const double* r);
  bool find_direction(const ScaledCone& cone);
  void fill_jacobian(const ScaledCone& cone, bool any_left_out);
  double line_search(const ScaledCone& cone, double merit, double* r);

  std::vector<double> u_, F_, trial_, best_, direction_, right_;
  std::vector<Mat3> slope_;
  std::vector<int> active_;
  DenseLu lu_;
};

}  // namespace grouser
