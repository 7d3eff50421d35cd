#include "contact/scm/scm_soil.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/lesser.h"

namespace grouser::internal {
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

bool NodeRect::overlaps(const NodeRect& other) const {
  return !empty() && !other.empty() && i0 < other.i0 + other.nx && other.i0 < i0 + nx &&
         j0 < other.j0 + other.ny && other.j0 < j0 + ny;
}

NodeRect NodeRect::joined(const NodeRect& other) const {
  if (empty()) return other;
  if (other.empty()) return *this;
  const int i = std::min(i0, other.i0), j = std::min(j0, other.j0);
  return {i, j, std::max(i0 + nx, other.i0 + other.nx) - i,
          std::max(j0 + ny, other.j0 + other.ny) - j};
}

NodeRect NodeRect::grown(int margin, const GridSpec& grid) const {
  if (empty()) return *this;
  const int i = std::max(0, i0 - margin), j = std::max(0, j0 - margin);
  return {i, j, std::min(grid.nx, i0 + nx + margin) - i, std::min(grid.ny, j0 + ny + margin) - j};
}

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

NodeRect nodes_around(const GridSpec& grid, const Rect& rect, int margin) {
  const auto first = [&](double x, double origin) {
    return std::max(0.0, std::floor((x - origin) / grid.spacing) - margin);
  };
  const auto last = [&](double x, double origin, int count) {
    return std::min(count - 1.0, std::ceil((x - origin) / grid.spacing) + margin);
  };
  const double ia = first(rect.lower.x(), grid.origin.x());
  const double ja = first(rect.lower.y(), grid.origin.y());
  const double ib = last(rect.upper.x(), grid.origin.x(), grid.nx);
  const double jb = last(rect.upper.y(), grid.origin.y(), grid.ny);
  if (!(ib > ia && jb > ja)) return {};
  const int i = static_cast<int>(ia), j = static_cast<int>(ja);
  return {i, j, static_cast<int>(ib) - i + 1, static_cast<int>(jb) - j + 1};
}

void HighestNodes::find(const ScmSoil& soil, const NodeRect& rect, BaseHeights& heights) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  static_assert(TiledGrid<double>::kSide == BaseHeights::kSide && BaseHeights::kSide % kSide == 0 &&
                kSide == 4);
  grid_ = soil.map.grid();
  i0_ = rect.i0 / kSide;
  j0_ = rect.j0 / kSide;
  nx_ = (rect.i0 + rect.nx - 1) / kSide - i0_ + 1;
  ny_ = (rect.j0 + rect.ny - 1) / kSide - j0_ + 1;
  blocks_.assign(static_cast<std::size_t>(nx_) * static_cast<std::size_t>(ny_), -kFar);
  const int end = rect.j0 + rect.ny;
  for (int j = rect.j0; j < end;) {
    const int block = j / kSide;
    column_.assign(static_cast<std::size_t>(nx_) * kSide, -kFar);
    for (; j < end && j / kSide == block; ++j) raise_columns(soil, rect, j, heights);
    double* row = &blocks_[static_cast<std::size_t>(block - j0_) * static_cast<std::size_t>(nx_)];
    const double* high = column_.data();
    for (int b = 0; b < nx_; ++b, high += kSide) {
      row[b] = greater(greater(high[0], high[1]), greater(high[2], high[3]));
    }
  }
  highest_ = *std::max_element(blocks_.begin(), blocks_.end());
}

bool HighestNodes::find_below(const Aabb& box_B, const Pose& X_WB, const ScmSoil& soil,
                              BaseHeights& heights) {
  const Vec3 centre = X_WB * box_B.centre(), half = X_WB.R.cwiseAbs() * (0.5 * box_B.size());
  const Rect around{(centre - half).head<2>(), (centre + half).head<2>()};
  if (centre.z() - half.z() > soil.map.range(around).max) return false;
  // That range may be wider than it need be, depending on what the soil was like before; what follows
  // must not.
  const NodeRect below = nodes_around(soil.map.grid(), around, 1);
  if (below.empty()) return false;
  find(soil, below, heights);
  return true;
}

/// Raises the highest node of each column of the present row of blocks to those of a row of nodes.
void HighestNodes::raise_columns(const ScmSoil& soil, const NodeRect& rect, int j,
                                 BaseHeights& heights) {
  for_each_run<BaseHeights::kSide>(rect.i0, rect.nx, j, [&](int ti, int tj, int i, int count) {
    const std::size_t first = TiledGrid<double>::entry(i, j);
    const double* base = heights.tile(ti, tj) + first;
    const double* change = soil.map.changes().tile_at(ti, tj);
    double* __restrict high = &column_[static_cast<std::size_t>(i - i0_ * kSide)];
    if (change == nullptr) {
      for (int k = 0; k < count; ++k) high[k] = greater(base[k], high[k]);
    } else {
      change += first;
      for (int k = 0; k < count; ++k) high[k] = greater(base[k] + change[k], high[k]);
    }
  });
}

double HighestNodes::highest_below(const Rect& rect) const {
  const auto first = [&](double x, double origin, int block) {
    const double node = std::floor((x - origin) / grid_.spacing) - 1;
    return std::max(0, static_cast<int>(std::floor(node / kSide)) - block);
  };
  const auto last = [&](double x, double origin, int block, int count) {
    const double node = std::ceil((x - origin) / grid_.spacing) + 1;
    return std::min(count - 1, static_cast<int>(std::floor(node / kSide)) - block);
  };
  const int ia = first(rect.lower.x(), grid_.origin.x(), i0_);
  const int ib = last(rect.upper.x(), grid_.origin.x(), i0_, nx_);
  const int ja = first(rect.lower.y(), grid_.origin.y(), j0_);
  const int jb = last(rect.upper.y(), grid_.origin.y(), j0_, ny_);
  double highest = -std::numeric_limits<double>::infinity();
  for (int j = ja; j <= jb; ++j) {
    for (int i = ia; i <= ib; ++i) {
      highest =
          std::max(highest, blocks_[static_cast<std::size_t>(j) * static_cast<std::size_t>(nx_) +
                                    static_cast<std::size_t>(i)]);
    }
  }
  return highest;
}

void SoilWindow::load(const ScmSoil& soil, const NodeRect& rect, BaseHeights& heights) {
  i0 = rect.i0;
  j0 = rect.j0;
  const GridSpec& map = soil.map.grid();
  grid = {.origin = map.node(i0, j0), .spacing = map.spacing, .nx = rect.nx, .ny = rect.ny};
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
}

void SoilWindow::store(ScmSoil& soil, int first, int row, int size) const {
  for_each_run<Memory::kSide>(i0 + first, size, j0 + row, [&](int ti, int tj, int i, int count) {
    const SoilMemory* from = &memory[grid.index(i - i0, row)];
    const SoilMemory* tile = soil.memory.tile_at(ti, tj);
    const std::size_t to = Memory::entry(i, j0 + row);
    const bool same = tile != nullptr ? std::equal(from, from + count, tile + to)
                                      : std::all_of(from, from + count, [](const SoilMemory& m) {
                                          return m == SoilMemory{};
                                        });
    if (same) return;  // makes and copies no tile
    std::copy_n(from, count, soil.memory.writable_tile(ti, tj) + to);
  });
}

}  // namespace grouser::internal
