#pragma once

namespace grouser::internal {

// Minimum and maximum as one machine instruction chooses: the second where either is NaN.
constexpr double lesser(double a, double b) { return a < b ? a : b; }
constexpr double greater(double a, double b) { return a > b ? a : b; }

}  // namespace grouser::internal
