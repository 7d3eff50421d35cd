#pragma once

#include "sim/evaluate.h"
#include "sim/simulate.h"

namespace grouser {

/// Accumulates the totals of a RunReport over samples, by the trapezoidal rule.
class RunStatistics {
 public:
  explicit RunStatistics(const World& world);
  void add(const Sample& sample);
  void fill(RunReport& report) const;

 private:
  const World& world_;
  int traveller_ = 0;  // body whose way is the distance
  bool first_ = true;
  double time_ = 0, power_ = 0;
  Vec3 position_ = Vec3::Zero();
  double distance_ = 0, energy_ = 0, residual_ = 0, duration_ = 0;
  std::vector<WheelStatistics> wheels_;  // sums until fill()
  std::vector<double> ways_;             // per wheel: rolled or slid in contact [m]
};

}  // namespace grouser
