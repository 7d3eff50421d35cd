#include "terrain/slope_check.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace grouser::internal {

double excess_slope(const ElevationMap& map, double limit, std::span<const char> held) {
  const GridSpec& grid = map.grid();
  std::vector<double> base(grid.size());
  for (int j = 0; j < grid.ny; ++j) {
    for (int i = 0; i < grid.nx; ++i) {
      base[grid.index(i, j)] = map.base().at(grid.node(i, j).x(), grid.node(i, j).y()).height;
    }
  }
  double most = -std::numbers::pi / 2;
  const auto look = [&](int i, int j, int k, int l) {
    if (k < 0 || k >= grid.nx || l >= grid.ny) return;
    const std::size_t a = grid.index(i, j), b = grid.index(k, l);
    if (!held.empty() && (held[a] || held[b])) return;
    const double distance = grid.spacing * std::hypot(k - i, l - j);
    const double natural = base[a] - base[b];
    const double drop = natural + map.change(i, j) - map.change(k, l);
    // Steeper than it was, and the same way down.
    const double before = std::atan(drop < 0 ? -natural / distance : natural / distance);
    most = std::max(most, std::atan(std::abs(drop) / distance) - std::max(limit, before));
  };
  for (int j = 0; j < grid.ny; ++j) {
    for (int i = 0; i < grid.nx; ++i) {
      look(i, j, i + 1, j);
      look(i, j, i - 1, j + 1);
      look(i, j, i, j + 1);
      look(i, j, i + 1, j + 1);
    }
  }
  return most;
}

}  // namespace grouser::internal
