#pragma once

#include <vector>

#include "integrate/integrator.h"
#include "sim/sample.h"
#include "sim/world.h"

namespace grouser::internal {

/// Finds when event functions cross zero within a step, on the integrator's dense output. Two
/// crossings of one event inside a single step cancel out and are not seen.
class EventFinder {
 public:
  EventFinder(const std::vector<EventSpec>& events, OdeSystem& system);

  /// Notes the signs at a state from which the search goes on.
  void start(double time, const double* y);
  /// Events inside the last step of the integrator, in order of time.
  const std::vector<EventRecord>& find(Integrator& integrator);

 private:
  double value_at(Integrator& integrator, std::size_t event, double time);
  double locate(Integrator& integrator, std::size_t event, double from);

  const std::vector<EventSpec>& events_;
  OdeSystem& system_;
  std::vector<double> before_, after_, trial_;
  std::vector<double> y_;
  std::vector<EventRecord> found_;
};

}  // namespace grouser::internal
