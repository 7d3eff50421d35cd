#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "geometry/grid.h"
#include "terrain/soil.h"

namespace grouser::internal {

/// A region with its own soil. Where zones overlap, the later one holds.
struct SoilZone {
  std::string name;
  std::vector<Vec2> polygon;  ///< corners in order, >= 3, not closed; must not cut itself [m]
  int soil = 0;               ///< index into SoilMap::soils
};

/// Cells of classes: the class of a point is that of the nearest node, up to half a spacing beyond
/// the outermost ones. None if the grid has no nodes.
struct SoilRaster {
  GridSpec grid;
  std::vector<std::uint8_t> soil;  ///< per node: index into SoilMap::soils
};

/// Which soil is where: that of the last zone that holds the point; without one that of the raster;
/// without either soils[0]. A point on the border of a zone belongs to one side, so that zones with
/// common corners leave no gap.
class SoilMap {
 public:
  /// Throws Error(input) naming every index, polygon and raster that is wrong.
  explicit SoilMap(Soil everywhere);
  SoilMap(std::vector<Soil> soils, std::vector<SoilZone> zones, SoilRaster raster = {});

  const std::vector<Soil>& soils() const { return soils_; }
  const std::vector<SoilZone>& zones() const { return zones_; }
  const SoilRaster& raster() const { return raster_; }
  int index_at(double x, double y) const;
  const Soil& at(double x, double y) const;

 private:
  std::vector<Soil> soils_;
  std::vector<SoilZone> zones_;
  std::vector<Rect> bounds_;  // of the zones
  SoilRaster raster_;
};

}  // namespace grouser::internal
