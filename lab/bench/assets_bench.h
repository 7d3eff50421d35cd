#pragma once

#include <vector>

#include "lab/bench/bench.h"

namespace grouser::internal {

/// Generators, trees of boxes and terrain queries, on one core.
std::vector<BenchRow> assets_bench();

}  // namespace grouser::internal
