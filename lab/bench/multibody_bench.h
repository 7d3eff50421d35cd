#pragma once

#include "lab/bench/bench.h"

namespace grouser {

std::vector<BenchRow> multibody_bench();

}  // namespace grouser
