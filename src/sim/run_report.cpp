#include "sim/run_report.h"

#include <fmt/format.h>

namespace grouser::internal {

void report_impulses(const ImpulseReport& impulses, RunReport& report) {
  report.impulses = impulses;
  if (impulses.unsolved > 0) {
    report.warnings.push_back(
        fmt::format("in {} of {} steps the impulses of contact missed impulse_tolerance; the worst "
                    "residual was {:.2g}",
                    impulses.unsolved, impulses.steps, impulses.worst_residual));
  }
  if (impulses.uncorrected > 0) {
    report.warnings.push_back(
        fmt::format("in {} of {} steps the correction of overlap missed impulse_tolerance; the "
                    "greatest overlap was {:.2g} m",
                    impulses.uncorrected, impulses.steps, impulses.worst_overlap));
  }
}

}  // namespace grouser::internal
