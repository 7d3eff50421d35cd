#pragma once

#include <vector>

#include "terrain/height_field.h"

namespace grouser::internal {

/// Minima and maxima of a raster's cells over square blocks, then over 2 x 2 of those, and so on up
/// to one: bounds over any range of cells from at most 16 entries of one level.
class HeightPyramid {
 public:
  static constexpr int kBlock = 4;  ///< cells along the side of a block of the lowest level

  HeightPyramid() = default;
  /// `blocks`: of the lowest level, row by row, blocks_x in a row.
  HeightPyramid(std::vector<HeightRange> blocks, int blocks_x);

  /// Bounds over at least the cells i0 ... i1, j0 ... j1, which must exist.
  HeightRange range(int i0, int i1, int j0, int j1) const;

 private:
  struct Level {
    int nx = 0, ny = 0;
    std::vector<HeightRange> blocks;
  };
  std::vector<Level> levels_;
};

/// The smallest range that holds both.
inline HeightRange joined(const HeightRange& a, const HeightRange& b) {
  return {b.min < a.min ? b.min : a.min, b.max > a.max ? b.max : a.max};
}

}  // namespace grouser::internal
