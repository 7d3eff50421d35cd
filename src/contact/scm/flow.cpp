#include "contact/scm/flow.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace grouser {
namespace {

constexpr double kReach = 3;  // in λ
constexpr double kBlock = 1;  // in λ: sources within it are one, seen from where their soil goes

/// Distance to the pressed region by two sweeps with 1 and √2 for neighbours, in cells; less half a cell
/// since the region ends between nodes.
void find_distances(const PaddedGrid& grid, DepositionScratch& s) {
  constexpr double kFar = 1e9;
  const auto row = static_cast<std::ptrdiff_t>(grid.stride());
  s.distance.resize(grid.size());
  for (std::size_t p = 0; p < grid.size(); ++p) s.distance[p] = s.pressed[p] != 0 ? -0.5 : kFar;
  const auto relax = [&](int i, int j, std::ptrdiff_t way) {
    double* d = &s.distance[grid.index(i, j)];
    const double straight = std::min(d[way], d[way * row]) + 1;
    const double across = std::min(d[way * (row - 1)], d[way * (row + 1)]) + std::numbers::sqrt2;
    *d = std::min({*d, straight, across});
  };
  for (int j = 0; j < grid.ny; ++j) {
    for (int i = 0; i < grid.nx; ++i) relax(i, j, -1);
  }
  for (int j = grid.ny - 1; j >= 0; --j) {
    for (int i = grid.nx - 1; i >= 0; --i) relax(i, j, 1);
  }
}

/// Of the columns that soil is pressed out of, weighted by how much [m].
double mean_depth(const SoilWork& work, const std::vector<SoilSource>& sources) {
  double sum = 0, weight = 0;
  for (const SoilSource& source : sources) {
    sum += source.height * work.column(source.i, source.j).sunk;
    weight += source.height;
  }
  return sum / weight;
}

}  // namespace

int flow_reach(double depth, double spacing) {
  return static_cast<int>(std::ceil(kReach * depth / spacing)) + 1;
}

void find_neighbourhood(SoilWork& work, DepositionScratch& s) {
  s.receivers.clear();
  if (s.sources.empty()) return;
  s.receivers.reserve(work.grid.size());
  find_distances(work.grid, s);
  const double ds = work.window.grid.spacing;
  const double length = std::max(mean_depth(work, s.sources) / ds, 0.5);  // in cells
  find_emitters(std::max(1, static_cast<int>(kBlock * length)), work, s);
  for (int j = 0; j < work.grid.ny; ++j) {
    for (int i = 0; i < work.grid.nx; ++i) {
      const std::size_t p = work.grid.index(i, j);
      if (work.held[p] != 0 || s.pressed[p] != 0 || s.distance[p] > kReach * length) continue;
      const auto row = static_cast<std::size_t>(work.grid.stride());
      const Vec2 outward(s.distance[p + 1] - s.distance[p - 1],
                         s.distance[p + row] - s.distance[p - row]);
      s.receivers.add(i, j, p, std::exp(-s.distance[p] / length), outward);
    }
  }
}

}  // namespace grouser
