#include "terrain/height_pyramid.h"

#include <algorithm>
#include <utility>

namespace grouser::internal {

HeightPyramid::HeightPyramid(std::vector<HeightRange> blocks, int blocks_x) {
  const int blocks_y = static_cast<int>(blocks.size() / static_cast<std::size_t>(blocks_x));
  levels_.push_back({blocks_x, blocks_y, std::move(blocks)});
  while (levels_.back().nx > 1 || levels_.back().ny > 1) {
    const Level& below = levels_.back();
    Level level{(below.nx + 1) / 2, (below.ny + 1) / 2, {}};
    level.blocks.reserve(static_cast<std::size_t>(level.nx) * static_cast<std::size_t>(level.ny));
    const auto at = [&](int i, int j) {
      const std::size_t row = static_cast<std::size_t>(std::min(j, below.ny - 1));
      const std::size_t column = static_cast<std::size_t>(std::min(i, below.nx - 1));
      return below.blocks[row * static_cast<std::size_t>(below.nx) + column];
    };
    for (int j = 0; j < below.ny; j += 2) {
      for (int i = 0; i < below.nx; i += 2) {
        level.blocks.push_back(
            joined(joined(at(i, j), at(i + 1, j)), joined(at(i, j + 1), at(i + 1, j + 1))));
      }
    }
    levels_.push_back(std::move(level));
  }
}

HeightRange HeightPyramid::range(int i0, int i1, int j0, int j1) const {
  constexpr int kMaxSpan = 4;  // blocks along a side that are looked at
  i0 /= kBlock, i1 /= kBlock, j0 /= kBlock, j1 /= kBlock;
  std::size_t level = 0;
  while (i1 - i0 >= kMaxSpan || j1 - j0 >= kMaxSpan) {
    i0 /= 2, i1 /= 2, j0 /= 2, j1 /= 2;
    ++level;
  }
  const Level& blocks = levels_[level];
  const auto row = [&](int j) {
    return blocks.blocks.data() + static_cast<std::size_t>(j) * static_cast<std::size_t>(blocks.nx);
  };
  HeightRange range = row(j0)[i0];
  for (int j = j0; j <= j1; ++j) {
    for (int i = i0; i <= i1; ++i) range = joined(range, row(j)[i]);
  }
  return range;
}

}  // namespace grouser::internal
