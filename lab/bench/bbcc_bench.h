#pragma once

#include "lab/bench/bench.h"

namespace grouser {

std::vector<BenchRow> bbcc_bench();

}  // namespace grouser
