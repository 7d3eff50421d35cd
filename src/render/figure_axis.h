#pragma once

#include <string>
#include <vector>

#include "render/figure.h"

namespace grouser::internal {

struct Tick {
  double value = 0;
  std::string label;
};

/// An axis with its ends settled: where values lie between them, and what stands beside it.
struct Scale {
  double low = 0, high = 1;  ///< low < high; both positive if logarithmic
  bool logarithmic = false;
  std::vector<Tick> ticks;

  bool shows(double value) const;       ///< whether it has a place on the axis at all
  double fraction(double value) const;  ///< 0 at low, 1 at high; beyond for values outside
};

/// The scale for an axis whose data reach from `low` to `high` (low > high: there are none). Ends
/// that the axis does not set lie a little beyond the data.
Scale make_scale(const Axis& axis, double low, double high);

}  // namespace grouser::internal
