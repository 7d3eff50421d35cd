#pragma once

#include "lab/bench/bench.h"

namespace grouser {

std::vector<BenchRow> wheel_bench();

}  // namespace grouser
