#pragma once

#include <span>

#include "contact/wheel/bekker_wong_reece.h"

namespace grouser::internal {

/// What the integrals along the contact depend on.
struct BwrContact {
  double sinkage = 0;  ///< h [m], 0 ... radius
  double slip = 0;     ///< s, where the pressure peaks, -1 ... 1
  double pressed = 1;  ///< factor of the pressure [-], >= 0
  /// Ways against the soil per angle since the entry: of the rim, of the wheel along its heading, and of the
  /// soil under it to the left [m/rad].
  double rim = 0, travel = 0, side = 0;
};

/// Angles of entry, exit and highest pressure, from straight below forward [rad].
struct BwrAngles {
  double entry = 0, exit = 0, peak = 0;
};
BwrAngles bwr_angles(const WheelForm& wheel, const BwrOptions& options, double sinkage,
                     double slip);

/// Points and weights of a rule on (0, 1), at most kMaxBwrPoints.
struct BwrRule {
  std::span<const double> points, weights;
};
inline constexpr std::size_t kMaxBwrPoints = 40;
/// Gauss' five points on eight parts: errors of 1e-8.
BwrRule fine_bwr_rule();
/// Gauss' eight points.
BwrRule fast_bwr_rule();

WheelReaction bwr_integral(const WheelForm& wheel, const WheelSoil& soil, const BwrOptions& options,
                           const BwrContact& contact, const BwrRule& rule);

}  // namespace grouser::internal
