#pragma once

#include <vector>

namespace grouser::internal {

/// An alarm as a State keeps it; words are made of it when it is told.
struct RungAlarm {
  int kind = 0;     ///< AlarmKind
  int subject = 0;  ///< of its watcher: a body, a wheel, a rover, an actuator
  double time = 0, last_time = 0, duration = 0;  ///< as in Alarm [s]
  double value = 0, detail = 0;                  ///< what its watcher measured

  friend bool operator==(const RungAlarm&, const RungAlarm&) = default;
};

/// What watchers remember. Part of the State, so that a run in parts rings the same alarms as a whole one; not of its
/// hash, since they only look.
struct WatchMemory {
  double ticks = 0;             ///< of their clock, behind us
  double looked = 0;            ///< when they looked last [s]
  std::vector<double> numbers;  ///< of each watcher in turn; empty before they were first asked
  std::vector<RungAlarm> rung;  ///< in order of time

  friend bool operator==(const WatchMemory&, const WatchMemory&) = default;
};

}  // namespace grouser::internal
