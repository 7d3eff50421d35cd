#pragma once

#include <cmath>
#include <cstddef>
#include <functional>

namespace grouser::internal {

/// Mean and standard deviation over time.
struct Spread {
  double mean = 0, deviation = 0;
};

/// Of get(sample) over the samples in [from, to]; zeros if there are none.
template <class Trace, class Get>
Spread spread_of(const Trace& trace, double from, double to, Get&& get) {
  double sum = 0, square = 0, count = 0;
  for (const auto& sample : trace) {
    if (sample.time < from || sample.time > to) continue;
    sum += get(sample);
    count += 1;
  }
  if (count == 0) return {};
  const double mean = sum / count;
  for (const auto& sample : trace) {
    if (sample.time < from || sample.time > to) continue;
    square += (get(sample) - mean) * (get(sample) - mean);
  }
  return {.mean = mean, .deviation = std::sqrt(square / count)};
}

/// Hears how many of all cases of a sweep are done; never called twice at the same time.
using SweepProgress = std::function<void(std::size_t done, std::size_t all)>;

}  // namespace grouser::internal
