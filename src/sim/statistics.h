#pragma once

#include <span>
#include <vector>

#include "sim/rover_plan.h"
#include "sim/simulate.h"

namespace grouser::internal {

/// Accumulates the totals of a RunReport over steps; what is recorded plays no part.
class RunStatistics {
 public:
  explicit RunStatistics(const World& world);

  /// Body whose way is the distance; -1 in a world without bodies.
  int traveller() const { return traveller_; }
  /// The way goes on to a position of the traveller [m], from the first one given.
  void move_to(const Vec3& position);
  /// Work of an actuator in a step [J]. What it brakes is not given back: only work it does counts.
  void add_work(std::size_t actuator, double work);
  /// Residual of the loops after a step [m], [rad].
  void add_residual(double residual);
  /// The wheels' means go on to a time [s], by the trapezoidal rule. Loads jump where the soil is updated, torques at
  /// the ticks of controllers: a second call for the same time gives the values from there on.
  void add_wheels(double time, std::span<const WheelSample> wheels);
  /// Rovers were so at the end of a step of `duration` [s].
  void add_rovers(double duration, std::span<const RoverSample> rovers);
  void fill(RunReport& report) const;

 private:
  /// How a wheel has gone since it last stood or turned back. As long as it has not left its own footprint, about half
  /// its radius long, it settles or rocks on the soil it was put on: that is no slip. It counts if it goes farther.
  struct Stretch {
    double direction = 0;  // 1 forward, -1 backward
    bool rolls = false;    // has left its footprint
    double slip = 0;       // ∫ slip over the way [m], not counted yet
    double way = 0;        // [m], not counted yet
  };

  /// How far a rover was off its path, once it follows one.
  struct Path {
    double duration = 0, sum = 0, most = 0;  // [s], ∫ d² dt [m² s], [m]
  };

  void add_wheel(double duration, const WheelSample& wheel, std::size_t slot);
  void add_slip(double duration, const WheelSample& wheel, std::size_t slot);

  int traveller_ = -1;
  bool has_moved_ = false;
  Vec3 position_ = Vec3::Zero();
  double distance_ = 0, residual_ = 0;
  const World& world_;
  double duration_ = 0;       // of all steps [s]
  std::vector<double> work_;  // per actuator [J]
  std::vector<Path> paths_;   // per rover
  std::vector<int> drive_;    // per wheel: its actuator, or -1
  double wheel_time_ = 0, wheel_duration_ = 0;
  std::vector<WheelSample> before_;      // per wheel: at wheel_time_; empty at first
  std::vector<WheelStatistics> wheels_;  // sums until fill()
  std::vector<Stretch> stretches_;       // per wheel
  std::vector<double> footprints_;       // per wheel: length [m]
};

}  // namespace grouser::internal
