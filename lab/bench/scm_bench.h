#pragma once

#include "lab/bench/bench.h"

namespace grouser {

std::vector<BenchRow> scm_bench();

}  // namespace grouser
