#include "nonsmooth/methods.h"

namespace grouser::internal {

ConeTry Proximal::run(const ScaledCone& cone, const MethodLimits& limits, double* r) {
  constexpr double kFirst = 1e-2, kLeast = 1e-9, kMost = 1e3;  // of α; W has a unit diagonal
  constexpr double kFall = 0.1, kSlowestFall = 0.6, kRise = 4;
  constexpr double kRatio = 0.1;  // by which |F| has to fall before the centre moves
  constexpr double kSlow = 0.1;   // ratio of residuals above which progress is slow
  constexpr int kSteps = 20;      // of Newton's method for one centre
  ConeTry result{.method = ConeMethod::proximal};
  newton_.begin(cone, r);
  const BestImpulses& best = newton_.best();
  double alpha = kFirst, fall = kFall;
  int moves = 0;  // of the centre with slow progress, one after the other
  newton_.set_center(alpha, 0);
  while (best.residual > limits.tolerance && alpha < kMost &&
         result.iterations < limits.max_iterations) {
    const double before = best.residual;
    const int left = limits.max_iterations - result.iterations;
    const MethodLimits inner{.tolerance = limits.tolerance,
                             .max_iterations = std::min(kSteps, left)};
    if (newton_.descend(inner, kRatio, result.iterations) == Newton::Outcome::stalled) {
      newton_.return_to_last();
      alpha *= kRise;
      fall = std::min(kSlowestFall, std::sqrt(fall));
      moves = 0;
    } else {
      alpha = std::max(kLeast, alpha * fall);
      fall = std::max(kFall, fall * fall);
      const bool is_slow = best.residual < before && best.residual > kSlow * before;
      moves = is_slow ? moves + 1 : 0;
    }
    // Slow steps are lengthened, up to threefold, as in accelerated proximal point methods (Güler, SIAM J. Optim. 2
    // (1992)).
    newton_.set_center(alpha, 2.0 * moves / (moves + 3));
  }
  std::copy(best.r.begin(), best.r.end(), r);
  result.residual = best.residual;
  return result;
}

}  // namespace grouser::internal
