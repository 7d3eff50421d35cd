#pragma once

#include "sim/simulate.h"
#include "sim/soil.h"

/// What happened in a run, in words and numbers, once it is over.
namespace grouser {

/// What became of the soil, and warnings of what its model is not meant for.
void report_soil(const World& world, const ScmState& state, const SoilStatistics& statistics,
                 RunReport& report);

/// Warns if impulses or corrections of overlap were not found as exactly as asked.
void report_impulses(const ImpulseReport& impulses, RunReport& report);

}  // namespace grouser
