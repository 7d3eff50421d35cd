#pragma once

#include "grouser/simulation.h"
#include "sim/simulate.h"

/// Samples and reports in plain numbers.
namespace grouser::internal {

/// Allocates nothing once `plain` has held a sample of the same World.
void fill(const Sample& sample, grouser::Sample& plain);

grouser::Outcome plain(Outcome outcome);
grouser::Report plain(const World& world, const RunReport& report);

}  // namespace grouser::internal
