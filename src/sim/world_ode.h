#pragma once

#include <vector>

#include "integrate/ode_system.h"
#include "sim/evaluate.h"

namespace grouser::internal {

/// A World as the integrators see it: y = (q, v), with memory held fixed between commits.
class WorldOde final : public OdeSystem {
 public:
  /// Both must outlive this; what `committed` remembers is the present state's memory.
  WorldOde(const World& world, const State& committed);

  int position_size() const override { return world_.model.position_size(); }
  int velocity_size() const override { return world_.model.velocity_size(); }
  void derivative(double time, const double* y, double* rate) override;
  void advance_positions(const double* velocities, double dt, double* positions) override;
  double project(double time, double* y) override;
  int event_count() const override { return static_cast<int>(world_.events.size()); }
  void events(double time, const double* y, double* values) override;

  WorldScratch& scratch() { return scratch_; }
  const WorldScratch& scratch() const { return scratch_; }
  long evaluations() const { return evaluations_; }
  /// Largest loop residual that the last project() could not remove [m], [rad].
  double open_loop() const { return open_loop_; }

  /// Loops are projected to this residual [m], [rad].
  static constexpr double kLoopTolerance = 1e-13;
  /// Loops that cannot be closed better than this are open [m], [rad].
  static constexpr double kOpenLoop = 1e-8;

 private:
  const World& world_;
  const State& committed_;
  WorldScratch scratch_;
  long evaluations_ = 0;
  double open_loop_ = 0;
};

}  // namespace grouser::internal
