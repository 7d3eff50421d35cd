#pragma once

#include <span>
#include <vector>

#include "sim/simulate.h"

namespace grouser {

/// Accumulates the totals of a RunReport, by the trapezoidal rule.
class RunStatistics {
 public:
  explicit RunStatistics(const World& world);
  /// Energy, distance and residuals go on to a sample.
  void add(const Sample& sample);
  /// The wheels' means go on to a time [s]. Loads jump where the soil is updated: a second call for
  /// the same time gives the values from there on.
  void add_wheels(double time, std::span<const WheelSample> wheels);
  void fill(RunReport& report) const;

 private:
  const World& world_;
  int traveller_ = 0;  // body whose way is the distance
  bool first_ = true;
  double time_ = 0, power_ = 0;
  Vec3 position_ = Vec3::Zero();
  double distance_ = 0, energy_ = 0, residual_ = 0;
  double wheel_time_ = 0, wheel_duration_ = 0;
  std::vector<WheelSample> before_;      // per wheel: at wheel_time_; empty at first
  std::vector<WheelStatistics> wheels_;  // sums until fill()
  std::vector<double> ways_;             // per wheel: rolled or slid in contact [m]
};

}  // namespace grouser
