#pragma once

#include "bench/bench.h"

namespace grouser {

std::vector<BenchRow> multibody_bench();

}  // namespace grouser
