#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "collision/patch.h"

/// The pairs on which the narrow phase is timed, ours and others'.
namespace grouser::internal {

struct BenchPair {
  Convex A, B;
  Pose X_WA, X_WB;
};

using BenchPairs = std::vector<BenchPair>;

/// Mean time for a pair [ns], on a machine that others leave alone.
double time_pairs(const BenchPairs& pairs, const std::function<void(const BenchPair&)>& work);

/// How others fare on the same pairs, where their library was there at build time: the mean time [ns], or
/// nothing.
std::optional<double> time_libccd(const BenchPairs& pairs);
std::optional<double> time_bullet(const BenchPairs& pairs);

}  // namespace grouser::internal
