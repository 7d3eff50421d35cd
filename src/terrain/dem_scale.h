#pragma once

#include <string>
#include <vector>

#include "core/error.h"
#include "math/spatial.h"
#include "terrain/gdal_file.h"

namespace grouser::internal {

/// Where the pixels' centres of a file stand, in metres. They are the nodes of the elevation model.
struct DemScale {
  Vec2 pixel = Vec2::Zero();      ///< distance of nodes along x and y [m], > 0
  bool south_first = false;       ///< the first row of the file is the southern one
  bool east_first = false;        ///< the first column is the eastern one
  Vec2 corner = Vec2::Zero();     ///< lower left node in the file's coordinates [m] or [deg]
  Vec2 per_metre = Vec2::Ones();  ///< change of those coordinates per metre [-] or [deg/m]
  std::vector<std::string> notes;
};

/// From the file's transform and reference: projected units become metres, angles become metres at
/// the middle latitude of the file, by the radii of curvature of the ellipsoid,
///     x: a cos φ / √(1 - e² sin²φ),    y: a (1 - e²) / (1 - e² sin²φ)^(3/2).
/// Adds what is wrong to `issues`.
DemScale dem_scale(const RasterInfo& info, const std::string& file, IssueList& issues);

/// Metres per unit of height by the unit's name, in the spellings in use; 0 if unknown.
double metres_per_height_unit(const std::string& unit);

}  // namespace grouser::internal
