#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "geometry/aabb.h"
#include "terrain/elevation_map.h"
#include "terrain/tiled_grid.h"

namespace grouser::internal {

/// What a column of soil remembers. Its level is base + deposit. Under a body it was pressed down to
/// level - sunk, where it bears as firmly as before; on that may lie loose fill, which is pressed like
/// soil that nobody touched. The surface is seen at level - lowered, which is higher than the fill where
/// a body covered the cell in part only: lowered is that part of sunk - fill, once all has been laid down
/// elsewhere.
struct SoilMemory {
  /// Soil put on it or, if negative, taken from it, as a height [m].
  double deposit = 0;
  double sunk = 0;  ///< how far the soil under a body stays pressed below the level [m], >= 0
  double lowered =
      0;            ///< how far the cell as a whole was, its volume laid down elsewhere [m], >= 0
  double fill = 0;  ///< loose soil that lies on what was pressed [m], 0 ... sunk
  double shear_x = 0, shear_y = 0;  ///< how far it is bent over while in contact: z of ShearLaw [m]

  /// How far below the level a body meets soil that bears [m].
  double dent() const { return sunk - fill; }
  /// Part of the cell that was pressed [-], if soil moves at all.
  double pressed_part() const { return dent() > 0 ? std::min(1.0, lowered / dent()) : 1; }

  friend bool operator==(const SoilMemory&, const SoilMemory&) = default;
  void hash(Hasher& hasher) const {
    hasher.f64(deposit);
    hasher.f64(sunk);
    hasher.f64(lowered);
    hasher.f64(fill);
    hasher.f64(shear_x);
    hasher.f64(shear_y);
  }
};

/// Soil is moved in whole multiples of this height [m]: sums and differences of `deposit` and `lowered`
/// are exact then, whatever their order, and no volume is ever lost to rounding.
inline constexpr double kSoilQuantum = 0x1p-40;

/// The nearest multiple of the quantum, for |height| < 2048 m.
inline double to_soil_quanta(double height) {
  constexpr double kShift = 0x1.8p12;  // 1.5 · 2^52 quanta
  return (height + kShift) - kShift;
}

/// The soil at an instant. A value: copying it is a snapshot, which shares what neither side changes.
/// `memory` says all; the changes of the map follow it whenever the soil is updated, for everybody else
/// who asks how high the ground is.
struct ScmSoil {
  explicit ScmSoil(ElevationMap ground)
      : map(std::move(ground)), memory(map.grid().nx, map.grid().ny) {}

  ElevationMap map;
  TiledGrid<SoilMemory, 32> memory;  ///< on the nodes of the map's grid
  double displaced = 0;  ///< soil moved from under bodies so far, as a sum of heights [m]

  friend bool operator==(const ScmSoil& a, const ScmSoil& b) {
    return a.displaced == b.displaced && a.memory == b.memory && a.map.changes() == b.map.changes();
  }
  std::uint64_t hash() const { return memory.hash(); }
};

/// A rectangle of nodes of the map's grid; empty if nx or ny is 0.
struct NodeRect {
  int i0 = 0, j0 = 0, nx = 0, ny = 0;

  bool empty() const { return nx == 0 || ny == 0; }
  bool contains(int i, int j) const { return i >= i0 && j >= j0 && i < i0 + nx && j < j0 + ny; }
  bool overlaps(const NodeRect& other) const;
  /// The smallest rectangle with both; that of the other if one is empty.
  NodeRect joined(const NodeRect& other) const;
  /// `margin` >= 0 nodes more on each side, cut at the border of a grid; empty stays empty.
  NodeRect grown(int margin, const GridSpec& grid) const;
  friend bool operator==(const NodeRect&, const NodeRect&) = default;
};

/// Heights of the untouched ground at the nodes of a map's grid, kept tile by tile once asked for: a
/// cache, not part of the soil's state.
class BaseHeights {
 public:
  explicit BaseHeights(const ElevationMap& map);

  static constexpr int kSide = 64;
  const double* tile(int ti, int tj);

 private:
  const HeightField* base_;
  GridSpec grid_;
  TiledGrid<double, kSide> tiles_;
};

/// The nodes around a rectangle, `margin` >= 0 nodes more on each side, cut at the grid's border. Empty
/// if the rectangle lies off the grid.
NodeRect nodes_around(const GridSpec& grid, const Rect& rect, int margin);

/// How high the soil stands now, in the rough: the highest node of each block of the map's grid.
class HighestNodes {
 public:
  /// Looks at the nodes of a rectangle, which lies on the map and is not empty.
  void find(const ScmSoil& soil, const NodeRect& rect, BaseHeights& heights);
  /// Looks at those below a body, given by its box, at X_WB; false if there are none or all are lower.
  bool find_below(const Aabb& box_B, const Pose& X_WB, const ScmSoil& soil, BaseHeights& heights);

  /// Of all nodes [m].
  double highest() const { return highest_; }
  /// No node that a rectangle of the plane [m] stands on, nor their neighbours, are higher [m]; those that
  /// were not looked at do not count.
  double highest_below(const Rect& rect) const;
  /// From now on all ground counts as high as its highest node.
  void level_out() { std::fill(blocks_.begin(), blocks_.end(), highest_); }

 private:
  static constexpr int kSide = 4;  // of a block [nodes]

  void raise_columns(const ScmSoil& soil, const NodeRect& rect, int j, BaseHeights& heights);

  GridSpec grid_;
  int i0_ = 0, j0_ = 0, nx_ = 0, ny_ = 0;  // blocks
  std::vector<double> blocks_;
  std::vector<double> column_;  // of a row of blocks: the highest node of each column
  double highest_ = 0;
};

/// A rectangle of nodes copied out of the soil, row by row, to be worked on without looking up tiles.
struct SoilWindow {
  GridSpec grid;             ///< of the window
  int i0 = 0, j0 = 0;        ///< its first node on the map's grid
  std::vector<double> base;  ///< height of the untouched ground [m]
  std::vector<SoilMemory> memory;

  std::size_t size() const { return base.size(); }
  double level(std::size_t n) const { return base[n] + memory[n].deposit; }

  /// Takes the nodes of a rectangle, which lies on the map and is not empty.
  void load(const ScmSoil& soil, const NodeRect& rect, BaseHeights& heights);

  /// Puts the memory of `count` nodes back, from (i, j) of the window on, within a row.
  void store(ScmSoil& soil, int i, int j, int count) const;
};

}  // namespace grouser::internal
