#include "contact/scm/mean_slopes.h"

#include <algorithm>

namespace grouser {

void MeanSlopes::prepare(const PaddedGrid& grid, const std::vector<double>& heights,
                         const std::vector<double>& plate, std::size_t step) {
  step_ = step;
  sums_.assign(grid.size(), {});
  before_.assign(grid.size(), 0);
  after_.assign(grid.size(), 0);
  for (std::size_t c = step; c < grid.size(); ++c) {
    before_[c] = plate[c - step] > 0 ? before_[c - step] + 1 : 0;
    sums_[c] = sums_[c - step];
    if (heights[c] == kNone) continue;
    sums_[c].height += heights[c];
    sums_[c].place += static_cast<double>(c);
    sums_[c].count += 1;
  }
  for (std::size_t c = grid.size() - step; c-- > 0;) {
    after_[c] = plate[c + step] > 0 ? after_[c + step] + 1 : 0;
  }
}

MeanSlopes::Sum MeanSlopes::between(const Sum& from, const Sum& to) {
  return {.height = to.height - from.height,
          .place = to.place - from.place,
          .count = to.count - from.count};
}

double MeanSlopes::rise(std::size_t cell, int reach, double alone) const {
  const int count = std::min({reach, before_[cell], after_[cell]});
  if (count < 2) return alone;
  const std::size_t far = static_cast<std::size_t>(count) * step_;
  const Sum after = between(sums_[cell], sums_[cell + far]);
  const Sum before = between(sums_[cell - far - step_], sums_[cell - step_]);
  if (after.count == 0 || before.count == 0) return alone;
  const double way = after.place / after.count - before.place / before.count;
  return (after.height / after.count - before.height / before.count) /
         (way / static_cast<double>(step_));
}

}  // namespace grouser
