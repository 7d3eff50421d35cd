#pragma once

#include <string>
#include <vector>

#include "geometry/grid.h"

namespace grouser::internal {

/// Empty if the corners make a simple polygon: at least three, finite, none repeated, no edge that
/// meets another one but at their common corner, some area. Otherwise says what is wrong.
std::string polygon_defect(const std::vector<Vec2>& corners);

/// Whether a point lies inside. Points on the border belong to one side: of two polygons with a
/// common edge, given by the same corners, exactly one holds a point of that edge.
bool polygon_contains(const std::vector<Vec2>& corners, const Vec2& point);

Rect polygon_bounds(const std::vector<Vec2>& corners);

}  // namespace grouser::internal
