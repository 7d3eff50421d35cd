#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "geometry/grid.h"

namespace grouser {

/// Values at the nodes of a large regular grid, of which few differ from T{}: kept in square tiles that
/// are made when first written. A copy shares all tiles; a tile is copied when one side writes to it.
/// Looking up is two array reads; tiles are visited in order of their position, never of their making.
template <class T>
class TiledGrid;

}  // namespace grouser
