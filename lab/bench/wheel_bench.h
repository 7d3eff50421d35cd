#pragma once

#include "lab/bench/bench.h"

namespace grouser::internal {

std::vector<BenchRow> wheel_bench();

}  // namespace grouser::internal
