#include "contact/scm/patches.h"

#include <algorithm>
#include <limits>
#include <numbers>

#include "core/index.h"
#include "math/lesser.h"

namespace grouser::internal {
namespace {

constexpr double kDiagonal = std::numbers::sqrt2, kKnight = 2.23606797749979;  // √5

/// Lowers distances to those over the next row, `step` away, and the one after it, if there is one. Cells
/// two columns away exist but at the rim.
void lower_from_rows(double* __restrict row, std::ptrdiff_t step, int count, bool inner) {
  const double* next = row + step;
  for (int i = 0; i < count; ++i) {
    const double slanted = lesser(next[i - 1], next[i + 1]) + kDiagonal;
    row[i] = lesser(row[i], lesser(next[i] + 1, slanted));
  }
  if (!inner) return;
  const double* second = next + step;
  for (int i = 1; i < count - 1; ++i) {
    const double wide = lesser(next[i - 2], next[i + 2]);
    const double steep = lesser(second[i - 1], second[i + 1]);
    row[i] = lesser(row[i], lesser(wide, steep) + kKnight);
  }
}

/// Lowers distances to those over the cell before, `step` away. Distances less the way along the row are
/// what the loop carries on: one operation from cell to cell, not two.
void lower_along(double* row, int step, int count) {
  double least = row[-step] + 1, way = 0;
  for (int i = 0; i < count; ++i, row += step, way += 1) {
    least = lesser(*row - way, least);
    *row = least + way;
  }
}

}  // namespace

std::int32_t PatchFinder::root(std::int32_t label) {
  while (parents_[at(label)] != label) {
    parents_[at(label)] = parents_[at(parents_[at(label)])];
    label = parents_[at(label)];
  }
  return label;
}

/// Gives a run the label of those of the row before that touch it, which become one region. `above`: where
/// to look for them; no run before that one touches this run or a later one.
void PatchFinder::join(CellRun& run, std::size_t stride, std::size_t& above) {
  while (runs_[above].end + stride < run.begin) ++above;
  run.patch = -1;
  for (std::size_t r = above; runs_[r].begin + stride <= run.end; ++r) {
    const std::int32_t theirs = root(runs_[r].patch);
    if (run.patch < 0) {
      run.patch = theirs;
    } else {
      const std::int32_t mine = root(run.patch);
      parents_[at(std::max(mine, theirs))] = std::min(mine, theirs);
    }
  }
  if (run.patch >= 0) return;
  run.patch = static_cast<std::int32_t>(parents_.size());
  parents_.push_back(run.patch);
}

int PatchFinder::label(const PaddedGrid& grid, const std::vector<double>& coverage, double least) {
  runs_.clear();
  parents_.clear();
  std::size_t above = 0;
  for (int j = 0; j < grid.ny; ++j) {
    std::size_t c = grid.index(0, j);
    const std::size_t end = grid.index(grid.nx, j);
    while (c < end) {
      if (!(coverage[c] > least)) {
        ++c;
        continue;
      }
      CellRun& run = runs_.emplace_back();
      run.begin = c;
      while (c < end && coverage[c] > least) ++c;
      run.end = c;
      join(run, static_cast<std::size_t>(grid.stride()), above);
    }
  }
  numbers_.assign(parents_.size(), -1);
  int count = 0;
  for (std::int32_t l = 0; l < static_cast<std::int32_t>(parents_.size()); ++l) {
    std::int32_t& number = numbers_[at(root(l))];  // the lowest label of a region is its root
    if (number < 0) number = count++;
    numbers_[at(l)] = number;
  }
  labels_.assign(grid.size(), -1);
  for (CellRun& run : runs_) {
    run.patch = numbers_[at(run.patch)];
    std::fill(&labels_[run.begin], &labels_[run.end], run.patch);
  }
  return count;
}

std::int32_t PatchFinder::label_near(const PaddedGrid& grid, std::size_t cell) const {
  if (labels_[cell] >= 0) return labels_[cell];
  const auto stride = static_cast<std::size_t>(grid.stride());
  for (const std::size_t row : {cell - stride, cell, cell + stride}) {
    for (const std::size_t n : {row - 1, row, row + 1}) {
      if (labels_[n] >= 0) return labels_[n];
    }
  }
  return -1;
}

void spread_distance(const PaddedGrid& grid, std::vector<double>& distance) {
  for (int j = 0; j < grid.ny; ++j) {
    double* row = &distance[grid.index(0, j)];
    lower_from_rows(row, -grid.stride(), grid.nx, j > 0);
    lower_along(row, 1, grid.nx);
  }
  for (int j = grid.ny - 1; j >= 0; --j) {
    double* row = &distance[grid.index(0, j)];
    lower_from_rows(row, grid.stride(), grid.nx, j < grid.ny - 1);
    lower_along(row + grid.nx - 1, -1, grid.nx);
  }
}

void border_distance(const PaddedGrid& grid, const std::vector<double>& coverage, double least,
                     std::vector<double>& distance) {
  // Meanwhile distances are those of the cells' middles: half a cell outside if nothing is covered.
  constexpr double kOutside = -0.5;
  distance.assign(grid.size(), kOutside);
  for (int j = 0; j < grid.ny; ++j) {
    const std::size_t first = grid.index(0, j);
    for (std::size_t c = first; c < first + static_cast<std::size_t>(grid.nx); ++c) {
      const double full = std::numeric_limits<double>::infinity();
      const double own = coverage[c] > 1 - 1e-9 ? full : coverage[c] + kOutside;
      distance[c] = coverage[c] > least ? own : kOutside;
    }
  }
  // No sum of a neighbour and its step is below a cell that is not covered: that stays as it is.
  spread_distance(grid, distance);
  for (std::size_t c = 0; c < grid.size(); ++c) {
    if (distance[c] < 0.5 && coverage[c] > least) distance[c] = 0.5 * coverage[c];
  }
}

}  // namespace grouser::internal
