#pragma once

#include <vector>

#include "contact/pcm/detection.h"
#include "terrain/elevation_map.h"

namespace grouser::internal {

/// Heights of a map's nodes around a body, read again when the body leaves them. Maps do not change while
/// bodies touch them by meshes, so that what is kept does not show.
class MapWindow {
 public:
  /// Makes sure that all cells that meet the rectangle are there, as far as the map reaches. False if none.
  bool cover(const ElevationMap& map, const Rect& rect);

  struct Cells {
    int i0 = 0, j0 = 0, i1 = 0, j1 = 0;  ///< [i0, i1) x [j0, j1)
  };
  /// Cells that meet a rectangle within the one covered.
  Cells cells(const Rect& rect) const;
  double height(int i, int j) const { return heights_[window_.index(i - i0_, j - j0_)]; }
  const GridSpec& grid() const { return grid_; }
  double highest() const { return highest_; }  ///< [m]

 private:
  GridSpec grid_;    // of the whole map
  GridSpec window_;  // nodes that are held, from (i0_, j0_) of the map on
  int i0_ = 0, j0_ = 0;
  double highest_ = 0;
  std::vector<double> heights_;
};

/// Penetration detection against the ground: each cell of the map's grid is two triangles, cut from (i, j) to
/// (i + 1, j + 1) and numbered 2 (j nx + i) and on, made where a box of the base is over them. The ground's
/// frame is W; the base stands at X_WB in it and must be within what the window covers.
void detect_penetration(const BaseSurface& base, const MapWindow& window, const Pose& X_WB,
                        ContactElements& elements, DetectionScratch& scratch);

}  // namespace grouser::internal
