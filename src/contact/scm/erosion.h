#pragma once

#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

#include "contact/scm/soil_work.h"
#include "terrain/soil_map.h"

namespace grouser::internal {

/// Steepest slope that may remain after an update, above the angle of repose ψ [rad].
inline constexpr double kReposeSlack = 0.05 * std::numbers::pi / 180;

struct ErosionReport {
  double moved = 0;  ///< sum of the heights that slid to a neighbour [m]
  int sweeps = 0;
  bool settled = true;  ///< false if slopes were still too steep after kMostErosionSweeps
};

inline constexpr int kMostErosionSweeps = 20'000;

struct ErosionScratch {
  std::vector<std::int32_t> now, next;        // nodes to be looked at
  std::vector<std::uint8_t> queued;           // or held
  std::vector<double> tan_repose, tan_slack;  // per soil
};

/// Soil slides down wherever the surface is steeper than its angle of repose, until no slope between
/// free nodes and their eight neighbours is steeper than ψ + kReposeSlack. Slopes of the untouched
/// ground stand as they are, and soil leans against what is held. `from`: rectangles on the map outside
/// which nothing was too steep before. Nothing leaves the window.
///
/// After Krenn & Hirzinger (2008), equations (12), (13): of a node that exceeds the limits towards its
/// neighbours by e_j, ½ max e_j slides, shared in proportion to e_j. Differs: nodes are taken one after
/// the other and see what slid before, and a little more than that half slides; both for speed.
ErosionReport erode(std::span<const NodeRect> from, const SoilMap& soils, SoilWork& work,
                    ErosionScratch& scratch);

}  // namespace grouser::internal
