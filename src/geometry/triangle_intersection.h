#pragma once

#include <array>

#include "math/spatial.h"

namespace grouser::internal {

using TrianglePoints = std::array<Vec3, 3>;

/// Whether two triangles that have an area cut each other: along a piece of line of some length if
/// they lie in different planes, over some area if they lie in one. Those that only touch, be it in
/// a point or along an edge, do not. By signs of orientations alone: Guigue & Devillers, "Fast and
/// robust triangle-triangle overlap test using orientation predicates", J. Graphics Tools 8 (2003).
/// Differs: touching does not count.
bool triangles_cut(const TrianglePoints& a, const TrianglePoints& b);

}  // namespace grouser::internal
