#pragma once

#include <chrono>

namespace grouser::internal {

/// How fast a run is, over the last half second.
class SpeedMeter {
 public:
  void start(double time) {
    start_ = std::chrono::steady_clock::now();
    start_time_ = time;
    steps_ = 0;
  }
  void step(double time) {
    if (start_ == std::chrono::steady_clock::time_point()) return start(time);
    ++steps_;
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start_;
    if (wall.count() < kInterval) return;
    factor_ = (time - start_time_) / wall.count();
    step_ms_ = 1e3 * wall.count() / steps_;
    start(time);
  }
  double factor() const { return factor_; }    ///< simulated over wall time [-]
  double step_ms() const { return step_ms_; }  ///< wall time of a step [ms]

 private:
  static constexpr double kInterval = 0.5;  // over which it is measured [s]
  std::chrono::steady_clock::time_point start_;
  double start_time_ = 0;  // [s]
  double steps_ = 0;
  double factor_ = 0, step_ms_ = 0;
};

}  // namespace grouser::internal
