#pragma once

#include <cstdint>
#include <vector>

#include "terrain/elevation_map.h"
#include "terrain/tiled_grid.h"

namespace grouser {

/// What a column of soil remembers. Its level is base + deposit. It bears from level - sunk downward;
/// its surface is seen at level - lowered, which is higher where a body covers the cell in part only.
struct SoilMemory {
  /// Soil put on it or, if negative, taken from it, as a height [m].
  double deposit = 0;
  double sunk = 0;  ///< how far the soil under a body stays pressed below the level [m], >= 0
  double lowered =
      0;  ///< how far the cell as a whole was, its volume laid down elsewhere [m], >= 0
  double shear_x = 0, shear_y = 0;  ///< shear displacement while in contact [m]

  friend bool operator==(const SoilMemory&, const SoilMemory&) = default;
  void hash(Hasher& hasher) const {
    hasher.f64(deposit);
    hasher.f64(sunk);
    hasher.f64(lowered);
    hasher.f64(shear_x);
    hasher.f64(shear_y);
  }
};

/// The soil at an instant. A value: copying it is a snapshot, which shares what neither side changes.
/// `memory` says all; the changes of the map follow it whenever the soil is updated, for everybody else
/// who asks how high the ground is.
struct ScmSoil {
  explicit ScmSoil(ElevationMap ground)
      : map(std::move(ground)), memory(map.grid().nx, map.grid().ny) {}

  ElevationMap map;
  TiledGrid<SoilMemory, 32> memory;  ///< on the nodes of the map's grid

  friend bool operator==(const ScmSoil& a, const ScmSoil& b) {
    return a.memory == b.memory && a.map.changes() == b.map.changes();
  }
  std::uint64_t hash() const { return memory.hash(); }
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

/// A rectangle of nodes copied out of the soil, row by row, to be worked on without looking up tiles.
struct SoilWindow {
  GridSpec grid;             ///< of the window
  int i0 = 0, j0 = 0;        ///< its first node on the map's grid
  std::vector<double> base;  ///< height of the untouched ground [m]
  std::vector<SoilMemory> memory;

  std::size_t size() const { return base.size(); }
  double level(std::size_t n) const { return base[n] + memory[n].deposit; }
  double bearing(std::size_t n) const { return level(n) - memory[n].sunk; }
  double surface(std::size_t n) const { return level(n) - memory[n].lowered; }

  /// Takes the nodes around a rectangle, `margin` >= 0 nodes more on each side, cut at the map's border.
  /// False if the rectangle lies off the map.
  bool load(const ScmSoil& soil, const Rect& rect, int margin, BaseHeights& heights);

  /// Puts the memory back.
  void store(ScmSoil& soil) const;
};

}  // namespace grouser
