#pragma once

#include <vector>

#include "terrain/height_field.h"
#include "terrain/tiled_grid.h"

namespace grouser::internal {

/// Bounds of sparse values at the nodes of a grid, over blocks of 8 x 8 nodes, 8 x 8 of those
/// blocks, and so on. They always include zero, the value of a node that was never written, and
/// only ever widen: a value taken back leaves its trace, which keeps a write cheap.
class ChangeBounds {
 public:
  ChangeBounds() = default;
  ChangeBounds(int nx, int ny);

  /// To be called with every value written.
  void widen(int i, int j, double value);

  /// Bounds over at least the nodes i0 ... i1, j0 ... j1, which must exist.
  HeightRange range(int i0, int i1, int j0, int j1) const;

  std::size_t memory_bytes() const;

 private:
  static constexpr int kFactor = 8;

  struct Bounds {
    double min = 0, max = 0;
    bool operator==(const Bounds&) const = default;
  };
  std::vector<TiledGrid<Bounds, kFactor>> levels_;
};

}  // namespace grouser::internal
