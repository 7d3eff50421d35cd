#include "sim/run_report.h"

#include <fmt/format.h>

#include <cmath>

namespace grouser {

void report_soil(const World& world, const ScmState& state, const SoilStatistics& statistics,
                 RunReport& report) {
  const double cell = std::pow(world.ground->map.grid().spacing, 2);
  report.soil = SoilReport{.displaced = state.soil.displaced * cell,
                           .volume_error = volume_change(state.soil)};
  for (std::string& warning : soil_warnings(statistics)) {
    report.warnings.push_back(std::move(warning));
  }
}

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

}  // namespace grouser
