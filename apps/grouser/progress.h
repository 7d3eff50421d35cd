#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "sim/simulate.h"

namespace grouser::internal {

/// A bar of which the part `done`, 0 ... 1, is filled.
std::string progress_bar(double done);

/// Shows on standard error how far tasks are that take long, such as setting up a scene: a bar on a terminal, a plain
/// line every few seconds elsewhere.
void show_long_tasks();

/// Shows on standard error how far a run is: a bar that redraws itself on a terminal, a plain line
/// every few seconds elsewhere.
class Progress : public Observer {
 public:
  /// The run goes from `start` to `end` [s]. Silent if not `shown`.
  Progress(double start, double end, bool shown);
  /// Ends the bar's line.
  ~Progress() override;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void on_step(double time, long steps) override;
  void on_sample(const Sample& sample) override;
  /// Logged at once, shown or not.
  void on_warning(const std::string& warning) override;
  void on_alarm(const Alarm& alarm) override;

 private:
  using WallClock = std::chrono::steady_clock;
  void draw(double time);

  double start_, end_;
  bool shown_, terminal_;
  WallClock::time_point begun_, drawn_;
  std::optional<double> slip_;  // mean over wheels in contact
  double sinkage_ = 0;
  bool drew_ = false;
};

}  // namespace grouser::internal
