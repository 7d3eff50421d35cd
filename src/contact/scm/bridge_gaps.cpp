#include "contact/scm/bridge_gaps.h"

#include <algorithm>

namespace grouser {
namespace {

// As the machine's instructions choose.
double lesser(double a, double b) { return a < b ? a : b; }
double greater(double a, double b) { return a > b ? a : b; }

double from(double value, double carried, double fall) {
  return greater(greater(value, carried) - fall, 0);
}

}  // namespace

void GapBridge::bridge(const PaddedGrid& grid, const std::vector<double>& values, double reach,
                       std::vector<double>& bridged) {
  bridged = values;
  before_.assign(grid.size(), 0);
  after_.assign(grid.size(), 0);
  const double fall = 1 / reach;
  bridge_rows(grid, values, fall, bridged);
  bridge_columns(grid, values, fall, bridged);
}

void GapBridge::bridge_rows(const PaddedGrid& grid, const std::vector<double>& values, double fall,
                            std::vector<double>& bridged) {
  for (int j = 0; j < grid.ny; ++j) {
    const std::size_t first = grid.index(0, j), end = grid.index(grid.nx, j);
    for (std::size_t c = first; c < end; ++c)
      before_[c] = from(values[c - 1], before_[c - 1], fall);
    for (std::size_t c = end; c-- > first;) after_[c] = from(values[c + 1], after_[c + 1], fall);
  }
  for (std::size_t c = 0; c < grid.size(); ++c) {
    bridged[c] = greater(bridged[c], lesser(1, 2 * lesser(before_[c], after_[c])));
  }
}

void GapBridge::bridge_columns(const PaddedGrid& grid, const std::vector<double>& values,
                               double fall, std::vector<double>& bridged) {
  const auto stride = static_cast<std::size_t>(grid.stride());
  const std::size_t first = grid.index(0, 0), end = grid.index(grid.nx, grid.ny - 1);
  std::fill_n(before_.begin(), first, 0.0);
  std::fill(after_.begin() + static_cast<std::ptrdiff_t>(end), after_.end(), 0.0);
  for (std::size_t c = first; c < end; ++c) {
    before_[c] = from(values[c - stride], before_[c - stride], fall);
  }
  for (std::size_t c = end; c-- > first;) {
    after_[c] = from(values[c + stride], after_[c + stride], fall);
  }
  for (std::size_t c = first; c < end; ++c) {
    bridged[c] = greater(bridged[c], lesser(1, 2 * lesser(before_[c], after_[c])));
  }
}

}  // namespace grouser
