#pragma once

#include "nonsmooth/cone_jacobian.h"
#include "nonsmooth/cone_solver.h"
#include "nonsmooth/scaled_cone.h"

/// Internal to nonsmooth: the methods. Each begins at r, improves it and says how far it came; what it
/// leaves is the best it met.
namespace grouser {

struct MethodLimits {
  double tolerance = 0;  ///< of cone_residual [-]
  int max_iterations = 0;
};

/// The best r met so far.
struct BestImpulses {
  std::vector<double> r;
  double residual = 0;

  void begin(const double* first, std::size_t n, double its_residual) {
    r.assign(first, first + n);
    residual = its_residual;
  }
  void offer(const double* other, double its_residual) {
    if (!(its_residual < residual)) return;
    std::copy(other, other + r.size(), r.begin());
    residual = its_residual;
  }
};

/// Block Gauss-Seidel: each block in turn is solved exactly with the others held.
class Nsgs {
 public:
  ConeTry run(const ScaledCone& cone, const MethodLimits& limits, double* r);

 private:
  std::vector<double> u_;
  BestImpulses best_;
};

/// Semismooth Newton on F(r) = r - P(r - u) = 0 with P of Alart and Curnier: the tangential impulse is
/// projected on the disk that belongs to the normal impulse predicted, not on the cone. Line search on |F|,
/// which may be left where it stalls.
/// Alart & Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991).
class Newton {
 public:
  /// If `guess`, first moves r to where nothing would move.
  ConeTry run(const ScaledCone& cone, const MethodLimits& limits, bool guess, double* r);

  /// The parts of which the proximal method is made. begin() sets where to start.
  void begin(const ScaledCone& cone, const double* r);
  /// Moves the centre c to r, and both on by so many times the way from the last call's r. From here on u
  /// stands for u + α (r - c).
  void set_center(double alpha, double momentum);
  /// Takes r back to where it was when the centre was last set.
  void return_to_last() { r_ = last_; }
  enum class Outcome { solved, reduced, stalled };
  /// Steps until the residual of the problem itself is small, or |F| has come down by the ratio, or no longer
  /// comes down. Counts the steps.
  Outcome descend(const MethodLimits& limits, double ratio, int& iterations);
  const BestImpulses& best() const { return best_; }

 private:
  double evaluate(const std::vector<double>& r);
  bool guess_sticking();
  bool find_direction();
  double line_search(double merit);

  const ScaledCone* cone_ = nullptr;
  double alpha_ = 0;
  std::vector<double> r_, last_, center_, u_, F_, trial_, direction_, right_;
  std::vector<Mat3> slope_, rest_;
  std::vector<char> active_;
  BestImpulses best_;
  ConeJacobian jacobian_;
};

/// Proximal point iteration: W + α instead of W, with the centre moved to each solution and beyond. α falls as
/// long as Newton's method can follow, and rises when it cannot. What W does not see, the split of a load
/// among redundant contacts, stays near what it was at the start.
class Proximal {
 public:
  ConeTry run(const ScaledCone& cone, const MethodLimits& limits, double* r);

 private:
  Newton newton_;
};

/// Follows the solutions of equations smoothed by ε down to ε = 0: r - P_ε(r - û) = 0 with
/// the projection's max(0, λ) of both spectral values replaced by (λ + √(λ² + 4 ε²)) / 2.
/// Hayashi, Yamashita & Fukushima, SIAM J. Optim. 15 (2005).
class Smoothing {
 public:
  ConeTry run(const ScaledCone& cone, const MethodLimits& limits, double* r);

 private:
  double evaluate(const ScaledCone& cone, const std::vector<double>& r);
  void begin(const ScaledCone& cone, const double* r);
  double advance(const ScaledCone& cone, double merit, double next_epsilon);

  double epsilon_ = 0;
  std::vector<double> r_, u_, F_, trial_, by_epsilon_, direction_;
  std::vector<Mat3> slope_, rest_;
  std::vector<char> active_;
  BestImpulses best_;
  ConeJacobian jacobian_;
};

/// Alternating directions: r in the cone, x in the equations, W + ρ factored once for each ρ; friction is
/// taken from the last iterate. ρ is balanced between the two.
class Admm {
 public:
  ConeTry run(const ScaledCone& cone, const MethodLimits& limits, double* r);

 private:
  bool factor(const ScaledCone& cone, double rho);

  std::vector<double> r_, x_, dual_, u_, shift_;
  std::vector<Mat3> slope_, rest_;
  std::vector<char> active_;
  BestImpulses best_;
  ConeJacobian jacobian_;
};

}  // namespace grouser
