#pragma once

#include <filesystem>

#include "lab/bench/bench.h"

namespace grouser::internal {

/// Whole steps (step_bench()), then generated cone problems, beside Siconos where that is installed.
std::vector<BenchRow> nonsmooth_bench();

/// The same, and before it every cone problem in a folder (.fc3d, .hdf5, .h5).
std::vector<BenchRow> nonsmooth_bench_on(const std::filesystem::path& folder);

}  // namespace grouser::internal
