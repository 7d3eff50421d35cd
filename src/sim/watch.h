#pragma once

#include <vector>

#include "core/clock.h"
#include "sim/watcher.h"

namespace grouser::internal {

/// All watchers of a World, and their clock.
class Watch {
 public:
  /// The World must outlive this.
  explicit Watch(const World& world);

  /// Room for what they remember.
  void lay_out(WatchMemory& memory) const;
  /// Whether it is of these watchers.
  bool fits(const WatchMemory& memory) const;

  bool is_due(const WatchMemory& memory, double time) const;
  /// Looks, and winds the clock. Returns whether an alarm that is new ends the run.
  bool look(const WatchInput& input, WatchMemory& memory) const;

  /// All alarms so far, in order of time; and if the run `is_over`, what can be said only then.
  std::vector<Alarm> alarms(const State& state, bool is_over) const;

 private:
  Clock clock() const { return {0, 1 / world_.watch.rate_hz}; }
  const Watcher& watcher_of(const RungAlarm& alarm) const;

  const World& world_;
  Watchers watchers_;
  std::size_t numbers_ = 0;  // in memory
};

}  // namespace grouser::internal
