#include "nonsmooth/methods.h"

namespace grouser {

ConeTry Proximal::run(const ScaledCone& cone, const MethodLimits& limits, double* r) {
  constexpr double kFirst = 1e-2, kLeast = 1e-9, kMost = 1e3;  // of α; W has a unit diagonal
  constexpr double kFall = 0.1, kSlowestFall = 0.6, kRise = 4;
  constexpr double kRatio =
      0.1;                    // by which Newton's method has to reduce |F| before the centre moves
  constexpr int kSteps = 20;  // of Newton's method for one centre
  ConeTry result{.method = ConeMethod::proximal};
  newton_.begin(cone, r);
  double alpha = kFirst, fall = kFall;
  newton_.set_center(alpha);
  while (newton_.best().residual > limits.tolerance && alpha < kMost &&
         result.iterations < limits.max_iterations) {
    const MethodLimits inner{
        .tolerance = limits.tolerance,
        .max_iterations = std::min(kSteps, limits.max_iterations - result.iterations)};
    if (newton_.descend(inner, kRatio, result.iterations) == Newton::Outcome::stalled) {
      newton_.return_to_center();
      alpha *= kRise;
      fall = std::min(kSlowestFall, std::sqrt(fall));
    } else {
      alpha = std::max(kLeast, alpha * fall);
      fall = std::max(kFall, fall * fall);
    }
    newton_.set_center(alpha);
  }
  const BestImpulses& best = newton_.best();
  std::copy(best.r.begin(), best.r.end(), r);
  result.residual = best.residual;
  return result;
}

}  // namespace grouser
