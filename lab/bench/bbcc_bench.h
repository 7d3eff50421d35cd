#pragma once

#include "lab/bench/bench.h"

namespace grouser::internal {

std::vector<BenchRow> bbcc_bench();

}  // namespace grouser::internal
