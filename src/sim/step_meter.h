#pragma once

#include <span>
#include <vector>

#include "sim/statistics.h"
#include "sim/stepper.h"

namespace grouser::internal {

/// Of an actuator over a step: means over it.
struct ActuatorMotion {
  double effort = 0;  ///< [N m], [N]
  double rate = 0;    ///< [rad/s], [m/s]
};

/// Follows a run step by step for its RunStatistics. Looks only: nothing it does shows in the motion.
///
/// Work of an actuator in a step is its effort times how far its joint went: by the mean of the efforts at both ends
/// with fixed steps; by Simpson's rule over the dense output where steps adapt and may be long; and in time stepping
/// by the effort of the step, which includes the limits of servos. Wheels are counted by their values at both ends
/// of a step; in time stepping by those at its end, which are what acted in it.
class StepMeter {
 public:
  /// All must outlive this.
  StepMeter(const World& world, const State& committed, WorldOde& ode, Stepper& stepper);

  /// From the committed state on: where the run begins, and where a commit made forces or targets jump.
  void start();
  /// After an accepted step and before its commit: counts as far as `until` [s], which lies in the step.
  void step_to(double until);
  /// Nothing moves until then [s].
  void rest_to(double until);
  /// Length of the last step [s], and what actuators did in it: only in worlds with a mission or electrical power.
  double duration() const { return duration_; }
  std::span<const ActuatorMotion> motions() const { return motions_; }
  /// Of the traveller, at the end of the last step: R_WB.
  const Mat3& attitude() const { return attitude_; }
  /// Largest residual of the loops at a state of the run [m], [rad].
  void add_residual(double residual) { statistics_.add_residual(residual); }
  const RunStatistics& statistics() const { return statistics_; }
  /// At the instant it has counted to: of all rovers, in order.
  std::span<const WheelSample> wheels() const { return wheels_; }
  /// The same, per actuator [N m], [N]; in time stepping over the last step.
  const VecX& efforts() const { return effort_; }

 private:
  void look(double time, const double* q, const double* v, bool anew);
  void find_motions(const double* q);
  void find_efforts(double time, const double* q, const double* v);
  void add_work_of_fixed_step(const double* q);
  void add_work_of_adaptive_step(double until, const double* v);
  void add_work_of_time_step(double duration);
  double power(std::size_t actuator, const double* v) const;

  const World& world_;
  const State& committed_;
  WorldScratch& scratch_;
  Stepper& stepper_;
  RunStatistics statistics_;
  bool needs_forces_ = false;  // of the ground, or of prescribed motion
  Kinematics kinematics_;      // of the traveller's tree
  double time_ = 0;            // counted until here
  double duration_ = 0;
  std::vector<ActuatorMotion> motions_;  // per actuator, or empty
  Mat3 attitude_ = Mat3::Identity();
  VecX end_, middle_;          // positions and velocities
  VecX q_;                     // at time_
  VecX effort_, before_;       // per actuator: now, and where the step began
  std::vector<double> power_;  // per actuator: where the step began [W]
  std::vector<WheelSample> wheels_;
  std::vector<RoverSample> rovers_;
};

}  // namespace grouser::internal
