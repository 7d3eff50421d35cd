#include "contact/scm/flow.h"

#include <algorithm>
#include <cmath>

#include "contact/scm/patches.h"
#include "math/power.h"

namespace grouser::internal {
namespace {

constexpr double kLength = 0.5;  // λ over the mean depth
constexpr double kReach = 3;     // in λ
constexpr double kBlock = 2;  // in λ: sources within it are one, seen from where their soil goes

/// To the pressed region, in cells; less half a cell since the region ends between nodes.
void find_distances(const PaddedGrid& grid, DepositionScratch& s) {
  constexpr double kFar = 1e9;
  s.distance.resize(grid.size());
  for (std::size_t p = 0; p < grid.size(); ++p) s.distance[p] = s.pressed[p] != 0 ? -0.5 : kFar;
  spread_distance(grid, s.distance);
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
  return static_cast<int>(std::ceil(kReach * kLength * depth / spacing)) + 1;
}

void find_neighbourhood(SoilWork& work, DepositionScratch& s) {
  s.receivers.clear();
  if (s.sources.empty()) return;
  s.receivers.reserve(work.grid.size());
  find_distances(work.grid, s);
  const double ds = work.window.grid.spacing;
  const double length = std::max(kLength * mean_depth(work, s.sources) / ds, 0.5);  // in cells
  find_emitters(std::max(1, static_cast<int>(kBlock * length)), work, s);
  const auto row = static_cast<std::size_t>(work.grid.stride());
  const double most = kReach * length, per_length = 1 / length;
  s.powers.clear();  // here: distances in λ
  s.powers.reserve(work.grid.size());
  for (int j = 0; j < work.grid.ny; ++j) {
    for (int i = 0; i < work.grid.nx; ++i) {
      const std::size_t p = work.grid.index(i, j);
      if (s.distance[p] > most || work.held[p] != 0 || s.pressed[p] != 0) continue;
      const Vec2 outward(s.distance[p + 1] - s.distance[p - 1],
                         s.distance[p + row] - s.distance[p - row]);
      s.powers.push_back(s.distance[p] * per_length);
      s.receivers.add(i, j, p, 0, outward);
    }
  }
  one_minus_exp(s.powers.data(), s.powers.size(), s.powers.data());
  for (std::size_t r = 0; r < s.powers.size(); ++r) {
    s.receivers.weight[r] = static_cast<float>(1 - s.powers[r]);
  }
}

}  // namespace grouser::internal
