#include "sim/simulate.h"

#include "sim/simulation.h"

namespace grouser::internal {

const char* to_string(Outcome outcome) {
  constexpr const char* kNames[] = {"completed", "completed_with_alarms", "stopped_by_event",
                                    "stopped_by_alarm", "interrupted"};
  return kNames[static_cast<int>(outcome)];
}

RunReport simulate(const World& world, const State& start, const SimulateOptions& options,
                   Observer& observer) {
  Simulation simulation(world, start);
  simulation.set_observer(&observer);
  simulation.run_to(options.end_time, options.interrupt);
  simulation.set_observer(nullptr);
  return simulation.report();
}

}  // namespace grouser::internal
