#pragma once

#include <string>
#include <vector>

#include "render/image.h"
#include "terrain/height_field.h"

/// A terrain seen from above as a map: colours of height or slope, shaded relief, contours, axes, a scale bar, a legend.
namespace grouser::internal {

enum class MapQuantity { height, slope };

/// A round thing on the ground.
struct MapDisc {
  Vec2 centre = Vec2::Zero();  ///< [m]
  double radius = 0;           ///< [m]
};

/// A place with a name.
struct MapMark {
  std::string name;           ///< ASCII
  Vec2 place = Vec2::Zero();  ///< [m]
  bool has_heading = false;
  double heading = 0;    ///< from x towards y [rad]
  bool follows = false;  ///< a line leads here from the mark before
};

struct MapOptions {
  std::string title;  ///< ASCII
  MapQuantity quantity = MapQuantity::height;
  int size = 1000;              ///< of the longer side of the terrain [px]
  double contour_interval = 0;  ///< [m]; 0: some twelve, a round number apart
  std::vector<MapDisc> rocks;
  std::vector<MapMark> marks;
};

/// What the drawn nodes of a terrain amount to.
struct MapRange {
  double min = 0, max = 0, mean = 0;
  Vec2 min_at = Vec2::Zero(), max_at = Vec2::Zero();  ///< [m]
};

/// A terrain as it is drawn: heights at the middles of pixels, slopes between neighbours of these.
struct MapData {
  GridSpec grid;
  std::vector<double> heights;  ///< [m]
  std::vector<double> slopes;   ///< angle against the horizontal [rad]
  MapRange height;              ///< [m]
  MapRange slope;               ///< [rad]
  double interval = 0;          ///< of contours [m]; 0: the terrain is level
};

/// Throws Error(input) if the terrain has no finite size.
MapData map_data(const HeightField& terrain, const MapOptions& options);

Image draw_map(const MapData& data, const MapOptions& options);

}  // namespace grouser::internal
