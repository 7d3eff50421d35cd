#pragma once

#include <optional>
#include <string>

#include "core/error.h"
#include "sim/world.h"

namespace grouser::internal {

/// Thrown by simulate() when the motion leaves the finite numbers.
class DivergedError : public Error {
 public:
  DivergedError(Issue issue, State last_good)
      : Error(ErrorKind::diverged, std::move(issue)), last_good_(std::move(last_good)) {}
  /// The last state on the step grid before things went wrong; a run can be resumed from it.
  const State& last_good() const { return last_good_; }

 private:
  State last_good_;
};

/// Which body went wrong, how, and what to try; nothing if all is finite and slower than the limit.
std::optional<Issue> find_divergence(const World& world, double time, const double* q,
                                     const double* v);

/// An integrator gave up for `reason`: names the body whose acceleration `vdot` is worst.
Issue blame(const World& world, double time, const double* vdot, const std::string& reason);

}  // namespace grouser::internal
