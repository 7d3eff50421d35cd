#pragma once

#include <vector>

#include "lab/bench/bench.h"

namespace grouser::internal {

/// Whole steps of time stepping on one core: a rover that drives on a hard floor, a wall of 100 cubes that
/// stands, a heap of 100 cubes that comes to rest.
std::vector<BenchRow> step_bench();

}  // namespace grouser::internal
