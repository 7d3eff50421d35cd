#include "contact/scm/scm_soil.h"

#include <algorithm>
#include <cmath>

namespace grouser {
namespace {

using Memory = TiledGrid<SoilMemory, 32>;

/// Calls f(ti, tj, first node, number of nodes) for each run of nodes of row j within one tile.
template <int Side, class F>
void for_each_run(int i0, int nx, int j, F&& f) {
  for (int i = i0; i < i0 + nx;) {
    const int end = std::min(i0 + nx, (i / Side + 1) * Side);
    f(i / Side, j / Side, i, end - i);
    i = end;
  }
}

}  // namespace

BaseHeights::BaseHeights(const ElevationMap& map)
    : base_(&map.base()), grid_(map.grid()), tiles_(map.grid().nx, map.grid().ny) {}

const double* BaseHeights::tile(int ti, int tj) {
  if (const double* values = tiles_.tile_at(ti, tj)) return values;
  double* values = tiles_.writable_tile(ti, tj);
  const GridSpec part{.origin = grid_.node(ti * kSide, tj * kSide),
                      .spacing = grid_.spacing,
                      .nx = kSide,
                      .ny = kSide};
  base_->heights(part, std::span(values, static_cast<std::size_t>(kSide) * kSide));
  return values;
}

bool SoilWindow::load(const ScmSoil& soil, const Rect& rect, int margin, BaseHeights& heights) {
  const GridSpec& map = soil.map.grid();
  const auto first = [&](double x, double origin) {
    return std::floor((x - origin) / map.spacing) - margin;
  };
  const auto last = [&](double x, double origin) {
    return std::ceil((x - origin) / map.spacing) + margin;
  };
  const double ia = std::max(0.0, first(rect.lower.x(), map.origin.x()));
  const double ja = std::max(0.0, first(rect.lower.y(), map.origin.y()));
  const double ib = std::min(map.nx - 1.0, last(rect.upper.x(), map.origin.x()));
  const double jb = std::min(map.ny - 1.0, last(rect.upper.y(), map.origin.y()));
  if (!(ib > ia && jb > ja)) return false;
  i0 = static_cast<int>(ia);
  j0 = static_cast<int>(ja);
  grid = {.origin = map.node(i0, j0),
          .spacing = map.spacing,
          .nx = static_cast<int>(ib) - i0 + 1,
          .ny = static_cast<int>(jb) - j0 + 1};
  base.resize(grid.size());
  memory.resize(grid.size());
  for (int j = j0; j < j0 + grid.ny; ++j) {
    for_each_run<Memory::kSide>(i0, grid.nx, j, [&](int ti, int tj, int i, int count) {
      const SoilMemory* tile = soil.memory.tile_at(ti, tj);
      SoilMemory* out = &memory[grid.index(i - i0, j - j0)];
      if (tile == nullptr) {
        std::fill_n(out, count, SoilMemory{});
      } else {
        std::copy_n(tile + Memory::entry(i, j), count, out);
      }
    });
    for_each_run<BaseHeights::kSide>(i0, grid.nx, j, [&](int ti, int tj, int i, int count) {
      const double* tile = heights.tile(ti, tj);
      std::copy_n(tile + TiledGrid<double, BaseHeights::kSide>::entry(i, j), count,
                  &base[grid.index(i - i0, j - j0)]);
    });
  }
  return true;
}

void SoilWindow::store(ScmSoil& soil) const {
  for (int j = j0; j < j0 + grid.ny; ++j) {
    for_each_run<Memory::kSide>(i0, grid.nx, j, [&](int ti, int tj, int i, int count) {
      const SoilMemory* from = &memory[grid.index(i - i0, j - j0)];
      const SoilMemory* tile = soil.memory.tile_at(ti, tj);
      const bool same = tile != nullptr ? std::equal(from, from + count, tile + Memory::entry(i, j))
                                        : std::all_of(from, from + count, [](const SoilMemory& m) {
                                            return m == SoilMemory{};
                                          });
      if (same) return;  // makes and copies no tile
      std::copy_n(from, count, soil.memory.writable_tile(ti, tj) + Memory::entry(i, j));
    });
  }
}

}  // namespace grouser
