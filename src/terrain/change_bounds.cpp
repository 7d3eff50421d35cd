#include "terrain/change_bounds.h"

#include <algorithm>

namespace grouser::internal {

ChangeBounds::ChangeBounds(int nx, int ny) {
  do {
    nx = (nx - 1) / kFactor + 1;
    ny = (ny - 1) / kFactor + 1;
    levels_.emplace_back(nx, ny);
  } while (nx > 1 || ny > 1);
}

void ChangeBounds::widen(int i, int j, double value) {
  for (auto& level : levels_) {
    i /= kFactor, j /= kFactor;
    const Bounds old = level.get(i, j);
    if (value >= old.min && value <= old.max) return;  // then the levels above hold it too
    level.set(i, j, {std::min(old.min, value), std::max(old.max, value)});
  }
}

HeightRange ChangeBounds::range(int i0, int i1, int j0, int j1) const {
  std::size_t k = 0;
  i0 /= kFactor, i1 /= kFactor, j0 /= kFactor, j1 /= kFactor;
  while (i1 - i0 >= kFactor || j1 - j0 >= kFactor) {
    i0 /= kFactor, i1 /= kFactor, j0 /= kFactor, j1 /= kFactor;
    ++k;
  }
  HeightRange range;
  for (int j = j0; j <= j1; ++j) {
    for (int i = i0; i <= i1; ++i) {
      const Bounds block = levels_[k].get(i, j);
      range = {std::min(range.min, block.min), std::max(range.max, block.max)};
    }
  }
  return range;
}

std::size_t ChangeBounds::memory_bytes() const {
  std::size_t sum = 0;
  for (const auto& level : levels_) sum += level.memory_bytes();
  return sum;
}

}  // namespace grouser::internal
