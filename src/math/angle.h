#pragma once

#include <numbers>

namespace grouser::internal {

inline constexpr double kDegree = std::numbers::pi / 180;  ///< [rad]
inline constexpr double kDegPerRad = 180 / std::numbers::pi;
inline constexpr double kTurn = 2 * std::numbers::pi;  ///< [rad]

}  // namespace grouser::internal
