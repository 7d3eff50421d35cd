#pragma once

#include <vector>

#include "math/spatial.h"

namespace grouser::internal {

/// Heights on a grid whose spacing may differ along x and y.
struct PixelGrid {
  int nx = 0, ny = 0;
  Vec2 spacing = Vec2::Ones();  ///< [m]
  std::vector<double> heights;  ///< row by row, x running fastest
};

/// Nodes along a side after resampling from `count` nodes `spacing` apart: as many as fit.
double resampled_count(int count, double spacing, double wanted);

/// The same heights at nodes `wanted` [m] apart, from the same first node on. Along an axis that
/// becomes coarser a node is the mean of the polygon through the old ones over one new spacing,
/// clipped evenly at the borders; along one that becomes finer, cubic convolution. Planes remain
/// planes. Deterministic for any number of threads. At least two nodes must be left along both
/// sides.
PixelGrid resample(const PixelGrid& grid, double wanted);

}  // namespace grouser::internal
