#pragma once

#include <string>

#include "terrain/dem_file.h"
#include "terrain/dem_scale.h"
#include "terrain/gdal_file.h"

namespace grouser::internal {

/// What is to be read and made, decided and checked before anything large is allocated.
struct DemPlan {
  PixelWindow window;
  DemScale scale;
  Vec2 first = Vec2::Zero();      ///< lower left node of the window, from that of the file [m]
  double spacing = 0;             ///< of the result [m]
  bool resampled = false;         ///< whether that differs from the file's
  double factor = 1, offset = 0;  ///< height [m] = factor × stored value + offset
};

/// Throws Error(input) with everything that is wrong with the file or does not fit the options.
DemPlan plan_dem(const RasterInfo& info, const DemOptions& options, const std::string& file);

}  // namespace grouser::internal
