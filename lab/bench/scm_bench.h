#pragma once

#include "lab/bench/bench.h"

namespace grouser::internal {

std::vector<BenchRow> scm_bench();

}  // namespace grouser::internal
