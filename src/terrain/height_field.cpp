#include "terrain/height_field.h"

#include <cassert>

#include "core/parallel.h"

namespace grouser::internal {

void HeightField::heights(const GridSpec& grid, std::span<double> out) const {
  assert(out.size() == grid.size());
  constexpr std::size_t kNodesPerChunk = 4096;
  const std::size_t nx = static_cast<std::size_t>(grid.nx);
  parallel_for(out.size(), kNodesPerChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const Vec2 node = grid.node(static_cast<int>(k % nx), static_cast<int>(k / nx));
      out[k] = at(node.x(), node.y()).height;
    }
  });
}

}  // namespace grouser::internal
