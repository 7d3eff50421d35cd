#pragma once

#include <memory>
#include <string>
#include <vector>

#include "integrate/ode_system.h"
#include "integrate/options.h"

namespace grouser::internal {

/// Advances an OdeSystem step by step. After start(), step() repeatedly; between the last two
/// points in time interpolate() gives the solution densely.
class Integrator {
 public:
  virtual ~Integrator() = default;

  /// Begins at y, forgetting everything before. `step_hint` [s] is a first step that suited
  /// before, or 0.
  virtual void start(double time, const double* y, double step_hint) = 0;

  /// Takes one step, never past `stop` [s]; arrives at it exactly. Throws Error(diverged) with a
  /// reason when no step of any size succeeds.
  virtual void step(double stop) = 0;

  virtual double previous_time() const = 0;
  virtual double time() const = 0;
  virtual const double* y() const = 0;

  /// The solution at a time in [previous_time(), time()].
  virtual void interpolate(double time, double* y) = 0;

  /// A step [s] that would suit next; what start() wants as a hint.
  virtual double suggested_step() const = 0;

  long step_count() const { return steps_; }

 protected:
  long steps_ = 0;
};

/// `system` must outlive the integrator.
std::unique_ptr<Integrator> make_integrator(const IntegratorOptions& options, OdeSystem& system);

/// One per family; see make_integrator().
std::unique_ptr<Integrator> make_rk4(const IntegratorOptions& options, OdeSystem& system);
std::unique_ptr<Integrator> make_semi_implicit(const IntegratorOptions& options, OdeSystem& system);
std::unique_ptr<Integrator> make_cvode(const IntegratorOptions& options, OdeSystem& system);
std::unique_ptr<Integrator> make_esdirk(const IntegratorOptions& options, OdeSystem& system);

}  // namespace grouser::internal
