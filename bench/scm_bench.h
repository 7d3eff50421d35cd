#pragma once

#include "bench/bench.h"

namespace grouser {

std::vector<BenchRow> scm_bench();

}  // namespace grouser
