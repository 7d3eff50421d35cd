#pragma once

#include "lab/bench/bench.h"

namespace grouser::internal {

std::vector<BenchRow> multibody_bench();

}  // namespace grouser::internal
