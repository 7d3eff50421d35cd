#pragma once

#include "core/clock.h"
#include "sim/state.h"

namespace grouser::internal {

/// Something that looks at the state at the ticks of its own clock and changes what actuators are asked.
class SampledController {
 public:
  virtual ~SampledController() = default;

  virtual Clock clock() const = 0;
  /// How many ticks are behind a state.
  virtual double& ticks(State& state) const = 0;
  virtual void act(State& state) = 0;

  virtual double next_time(State& state) const { return clock().time_of(ticks(state)); }

  /// Acts for all ticks that are due. Returns whether there were any.
  virtual bool run_if_due(State& state) {
    bool any = false;
    for (const Clock own = clock(); own.is_due(ticks(state), state.time); any = true) {
      act(state);
      ticks(state) += 1;
    }
    return any;
  }
};

}  // namespace grouser::internal
