#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <mutex>
#include <vector>

#include "core/parallel.h"
#include "rigs/rig_statistics.h"

namespace grouser::internal {

/// run(case) for all cases, side by side; results in their order.
template <class Result, class Case, class Run>
std::vector<Result> sweep(const std::vector<Case>& cases, const SweepProgress& progress,
                          Run&& run) {
  std::vector<Result> results(cases.size());
  std::mutex mutex;
  std::size_t done = 0;
  parallel_for(cases.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      results[k] = run(cases[k]);
      const std::lock_guard lock(mutex);
      ++done;
      if (progress) progress(done, cases.size());
    }
  });
  return results;
}

/// A trace with fewer points: each the mean of those since the last one.
template <class Sample>
std::vector<Sample> thinned(const std::vector<Sample>& trace, double step, double rate_hz,
                            std::initializer_list<double Sample::*> fields) {
  const std::size_t block =
      static_cast<std::size_t>(std::max(1.0, std::round(1 / (rate_hz * step))));
  std::vector<Sample> thin;
  for (std::size_t k = 0; k + block <= trace.size(); k += block) {
    Sample mean{};
    for (double Sample::*const field : fields) {
      for (std::size_t i = k; i < k + block; ++i) mean.*field += trace[i].*field;
      mean.*field /= static_cast<double>(block);
    }
    thin.push_back(mean);
  }
  return thin;
}

}  // namespace grouser::internal
