#include "sim/run_report.h"

#include <fmt/format.h>

#include <cmath>

namespace grouser {

void report_soil(const World& world, const ScmState& state, const SoilStatistics& statistics,
                 RunReport& report) {
  const double cell = std::pow(world.ground->map.grid().spacing, 2);
  report.soil = SoilReport{.displaced = state.soil.displaced * cell,
                           .volume_error = volume_change(state.soil)};
  if (statistics.unsettled > 0) {
    report.warnings.push_back(
        fmt::format("after {} of {} updates of the soil some slope was still steeper than the "
                    "angle of repose",
                    statistics.unsettled, statistics.updates));
  }
  if (statistics.least_stiffness < kLeastStiffness) {
    report.warnings.push_back(fmt::format(
        "a footprint was so narrow that k_c/b + k_φ fell to {:.2g} k_φ; it was held at {} k_φ: "
        "the soil's k_c is not meant for plates as narrow as that",
        statistics.least_stiffness, kLeastStiffness));
  }
}

void report_impulses(const ImpulseReport& impulses, RunReport& report) {
  report.impulses = impulses;
  if (impulses.unsolved == 0) return;
  report.warnings.push_back(
      fmt::format("in {} of {} steps the impulses of contact missed impulse_tolerance; the worst "
                  "residual was {:.2g}",
                  impulses.unsolved, impulses.steps, impulses.worst_residual));
}

}  // namespace grouser
