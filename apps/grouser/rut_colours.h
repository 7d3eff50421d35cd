#pragma once

#include "math/spatial.h"
#include "render/image.h"
#include "terrain/tiled_grid.h"

namespace grouser::internal {

/// How far the ground was changed anywhere.
struct RutRange {
  double sunk = 0;    ///< deepest rut [m], >= 0
  double heaped = 0;  ///< highest heap [m], >= 0
};

RutRange rut_range(const TiledGrid<double>& change);

/// Colour (sRGB in [0, 1]) of ground that was changed by `change` [m]: its own where that is nothing,
/// towards dark blue the deeper it sank, towards red the higher it was heaped.
Vec3 rut_colour(double change, const RutRange& range, const Vec3& ground);

/// A bar of these colours in the lower left corner, marked in millimetres. A picture too small for
/// it stays as it is.
void draw_rut_scale(const RutRange& range, Image& image);

}  // namespace grouser::internal
