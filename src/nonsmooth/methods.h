#pragma once

#include "nonsmooth/cone_jacobian.h"
#include "nonsmooth/cone_solver.h"
#include "nonsmooth/scaled_cone.h"

/// Internal to nonsmooth: the methods. Each begins at r, improves it and says how far it came; what it
/// leaves is the best it met.
namespace grouser::internal {

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

  /// Moves r to where nothing would move, as far as the blocks admit it.
  void stick(const ScaledCone& cone, double* r);

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

/// Primal-dual interior point method on x ∘ y = 0 with x in the cone, y in its dual, ∘ being Jordan's product:
/// Newton's method on x ∘ y = σ e, σ falling to zero, r and y kept off their bounds. y follows û of De Saxcé
/// with |u_T| as it is: smoothed, sticking contacts would part, and redundant ones could not all follow.
/// Needs no start, and is not disturbed by contacts at the edge of sliding, where Newton's method on the
/// projection cycles.
/// Alizadeh, Haeberly & Overton, SIAM J. Optim. 8 (1998), for the direction; Acary, Cadoux, Lemaréchal &
/// Malick, ZAMM 91 (2011), for friction as a problem on cones.
class InteriorPoint {
 public:
  /// Begins with impulses `size` times as large as velocities would be [-].
  ConeTry run(const ScaledCone& cone, const MethodLimits& limits, double size, double* r);

 private:
  void begin(const ScaledCone& cone, const double* r, double size);
  double mean_product(const ScaledCone& cone) const;
  void linearize(const ScaledCone& cone, double share);
  void find_direction(const ScaledCone& cone, double product);
  double reach_of_change(const ScaledCone& cone) const;

  /// y: of a block with friction as above; of others the forces of the lower and of the upper bound.
  std::vector<double> r_, u_, y_, error_, r_change_, y_change_;
  std::vector<Mat3> slope_, rest_, y_by_u_;
  std::vector<char> active_;
  BestImpulses best_;
  ConeJacobian jacobian_;
};

}  // namespace grouser::internal
