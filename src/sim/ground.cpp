#include "sim/ground.h"

#include <algorithm>
#include <cmath>

namespace grouser::internal {

GridSpec overview_grid(const ElevationMap& map, int max_nodes) {
  const Rect domain = map.domain();
  const Vec2 size = domain.size();
  const double spacing = std::max(map.grid().spacing, size.maxCoeff() / (max_nodes - 1));
  // Rounded down, but not for a rounding error: the last nodes stay on the border where they fit.
  const auto nodes = [&](double length) {
    return std::max(2, static_cast<int>(length / spacing + 1e-6) + 1);
  };
  return {.origin = domain.lower, .spacing = spacing, .nx = nodes(size.x()), .ny = nodes(size.y())};
}

}  // namespace grouser::internal
