#pragma once

#include <algorithm>
#include <cmath>

namespace grouser::internal {

/// Something that happens at start, start + period, start + 2 period ... The times are products,
/// not sums, so tick 10⁹ is as exact as tick 1. How many ticks are behind is kept in the State.
struct Clock {
  double start = 0;   ///< [s]
  double period = 1;  ///< [s], > 0

  double time_of(double tick) const { return start + tick * period; }
  /// First tick at or after `time`.
  double first_tick_from(double time) const {
    return std::max(0.0, std::ceil((time - start) / period - kSameTime));
  }
  /// Two times closer than this fraction of a period are one.
  static constexpr double kSameTime = 1e-9;
  bool is_due(double tick, double time) const { return time_of(tick) <= time + kSameTime * period; }
};

}  // namespace grouser::internal
