#include "contact/scm/soil_work.h"

#include <algorithm>
#include <limits>

namespace grouser::internal {
namespace {

constexpr std::size_t kSpare = 4;  // entries
constexpr double kFarAway = std::numeric_limits<double>::infinity();

}  // namespace

NodeRect contact_rect(const Footprint& footprint) {
  if (footprint.empty()) return {};
  const SoilWindow& window = footprint.window;
  const int nx = window.grid.nx;
  int first = nx, last = 0;
  for (const std::int32_t node : footprint.cells.node) {
    first = std::min(first, node % nx);
    last = std::max(last, node % nx);
  }
  const int low = footprint.cells.node.front() / nx, high = footprint.cells.node.back() / nx;
  return {window.i0 + first, window.j0 + low, last - first + 1, high - low + 1};
}

void SoilWork::load(const ScmSoil& soil, const NodeRect& rect, BaseHeights& heights) {
  window.load(soil, rect, heights);
  grid = {rect.nx, rect.ny};
  base.assign(grid.size() + kSpare, 0);
  change.assign(grid.size() + kSpare, 0);
  held.assign(grid.size(), 1);
  ceiling.assign(grid.size() + kSpare, -kFarAway);
  for (int j = 0; j < grid.ny; ++j) {
    const std::size_t from = window.grid.index(0, j), to = grid.index(0, j);
    const auto nx = static_cast<std::size_t>(grid.nx);
    for (std::size_t i = 0; i < nx; ++i) {
      const SoilMemory& column = window.memory[from + i];
      base[to + i] = window.base[from + i];
      change[to + i] = column.deposit - column.lowered;
      held[to + i] = 0;
      ceiling[to + i] = kFarAway;
    }
  }
  changed.clear();
  changed.reserve(grid.size());
  listed.assign(window.size(), 0);
  written.assign(static_cast<std::size_t>(grid.ny), {grid.nx, 0});
}

SoilMemory& SoilWork::writable(int i, int j) {
  Span& row = written[static_cast<std::size_t>(j)];
  row = {std::min(row.begin, i), std::max(row.end, i + 1)};
  return window.memory[window.grid.index(i, j)];
}

void SoilWork::list(std::size_t node) {
  if (listed[node] != 0) return;
  listed[node] = 1;
  changed.push_back(static_cast<std::int32_t>(node));
}

void SoilWork::hold(const Footprint& footprint) {
  const NodeRect rect{0, 0, grid.nx, grid.ny};
  for (const std::int32_t node : footprint.cells.node) {
    const Place at = place(footprint.window, node);
    if (!rect.contains(at.i, at.j)) continue;
    held[grid.index(at.i, at.j)] = 1;
    ceiling[grid.index(at.i, at.j)] = -kFarAway;
  }
  const NodeRect below = seen(footprint.underside);
  for (int j = below.j0; j < below.j0 + below.ny; ++j) {
    for (int i = below.i0; i < below.i0 + below.nx; ++i) {
      double& lowest = ceiling[grid.index(i - window.i0, j - window.j0)];
      lowest = std::min(lowest, footprint.underside.at(i, j));
    }
  }
}

NodeRect SoilWork::seen(const Underside& underside) const {
  const int i0 = std::max(underside.rect.i0, window.i0);
  const int j0 = std::max(underside.rect.j0, window.j0);
  const int i1 = std::min(underside.rect.i0 + underside.rect.nx, window.i0 + grid.nx);
  const int j1 = std::min(underside.rect.j0 + underside.rect.ny, window.j0 + grid.ny);
  return i0 < i1 && j0 < j1 ? NodeRect{i0, j0, i1 - i0, j1 - j0} : NodeRect{};
}

NodeRect SoilWork::kept_down(const Underside& underside) const {
  constexpr double kClose = 1e-4;  // [m]
  const NodeRect below = seen(underside);
  NodeRect kept;
  for (int j = below.j0; j < below.j0 + below.ny; ++j) {
    for (int i = below.i0; i < below.i0 + below.nx; ++i) {
      const std::size_t p = grid.index(i - window.i0, j - window.j0);
      if (held[p] == 0 && room(p) < kClose) kept = kept.joined({i, j, 1, 1});
    }
  }
  return kept;
}

void SoilWork::press(int i, int j, double D) {
  writable(i, j).lowered += D;
  change[grid.index(i, j)] -= D;
  list(window.grid.index(i, j));
}

void SoilWork::heap(std::size_t padded, std::ptrdiff_t step, double D) {
  std::size_t node = padded;
  for (std::size_t next = node;; next += static_cast<std::size_t>(step)) {
    if (held[next] != 0) break;
    node = next;
    const double fits = std::clamp(room(node), 0.0, D);
    const double part = fits < D ? to_soil_quanta(fits) : D;
    change[node] += part;
    D -= part;
    if (step == 0 || D == 0) break;
  }
  change[node] += D;
}

bool SoilWork::apply(const GridSpec& map) {
  bool rim = false;
  for (int j = 0; j < grid.ny; ++j) {
    const bool at_rim_y =
        (j == 0 && window.j0 > 0) || (j == grid.ny - 1 && window.j0 + grid.ny < map.ny);
    for (int i = 0; i < grid.nx; ++i) {
      const std::size_t p = grid.index(i, j), n = window.grid.index(i, j);
      const SoilMemory& before = window.memory[n];
      const double moved = change[p] - (before.deposit - before.lowered);
      if (moved == 0) continue;
      SoilMemory& column = writable(i, j);
      list(n);
      rim |= at_rim_y || (i == 0 && window.i0 > 0) ||
             (i == grid.nx - 1 && window.i0 + grid.nx < map.nx);
      if (held[p] != 0) {
        raise_level(column, moved);
      } else {
        put_soil(column, moved);
      }
    }
  }
  return rim;
}

void SoilWork::store(ScmSoil& soil) const {
  for (int j = 0; j < grid.ny; ++j) {
    const Span& row = written[static_cast<std::size_t>(j)];
    if (row.begin < row.end) window.store(soil, row.begin, j, row.end - row.begin);
  }
  for (const std::int32_t n : changed) {
    const int i = n % grid.nx, j = n / grid.nx;
    soil.map.set_change(window.i0 + i, window.j0 + j, change[grid.index(i, j)]);
  }
}

void raise_level(SoilMemory& column, double h) {
  column.deposit += h;
  if (column.sunk == 0) return;
  // What was pressed stays where it is, under more or less fill; once that is gone, it goes too.
  const double filled = std::max(h, -column.fill);
  column.sunk += filled;
  column.fill += filled;
}

void put_soil(SoilMemory& column, double h) {
  const double into_dent = std::clamp(h, 0.0, column.lowered);
  if (into_dent > 0) {
    column.fill += column.dent() * (into_dent / column.lowered);
    column.lowered -= into_dent;
    if (column.lowered == 0) column.fill = column.sunk;
  }
  raise_level(column, h - into_dent);
}

}  // namespace grouser::internal
