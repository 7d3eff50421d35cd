#pragma once

namespace grouser::internal {

/// What an integrator advances: y = (positions, velocities), with dy/dt given by derivative().
/// Positions may live on a manifold (quaternions), hence advance_positions().
class OdeSystem {
 public:
  virtual ~OdeSystem() = default;

  virtual int position_size() const = 0;
  virtual int velocity_size() const = 0;
  int size() const { return position_size() + velocity_size(); }

  virtual void derivative(double time, const double* y, double* rate) = 0;

  /// positions ← positions moved along the constant `velocities` for dt [s].
  virtual void advance_positions(const double* velocities, double dt, double* positions) = 0;

  /// Puts y back on its invariants (unit quaternions, closed loops). Called at the end of every
  /// accepted step; returns how far y was off, in the largest of its units.
  virtual double project(double time, double* y) = 0;

  /// Functions whose sign changes are events; values[event_count()].
  virtual int event_count() const { return 0; }
  virtual void events(double /*time*/, const double* /*y*/, double* /*values*/) {}
};

}  // namespace grouser::internal
