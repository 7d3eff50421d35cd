#pragma once

#include "sim/simulate.h"

/// What happened in a run, in words and numbers, once it is over.
namespace grouser::internal {

/// Warns if impulses or corrections of overlap were not found as exactly as asked.
void report_impulses(const ImpulseReport& impulses, RunReport& report);

}  // namespace grouser::internal
