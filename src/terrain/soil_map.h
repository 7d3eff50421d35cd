#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "geometry/grid.h"
#include "terrain/soil.h"

namespace grouser {

/// A region with its own soil. Where zones overlap, the later one holds.
struct SoilZone {
  std::string name;
  std::vector<Vec2> polygon;  ///< corners in order, >= 3, not closed; must not cut itself [m]
  int soil = 0;               ///< index into SoilMap::soils
};

/// Cells of classes: the class of a point is that of the nearest node.
struct SoilRaster {
  GridSpec grid;
  std::vector<std::uint8_t> soil;  ///< per node: index into SoilMap::soils
};

/// Which soil is where. soils[0] holds wherever neither zone nor raster says otherwise.
class SoilMap {
 public:
  /// Throws Error(input) if an index, polygon or raster is wrong.
  explicit SoilMap(Soil everywhere);
  SoilMap(std::vector<Soil> soils, std::vector<SoilZone> zones, SoilRaster raster = {});

  const std::vector<Soil>& soils() const;
  const std::vector<SoilZone>& zones() const;
  int index_at(double x, double y) const;
  const Soil& at(double x, double y) const;
};

}  // namespace grouser
