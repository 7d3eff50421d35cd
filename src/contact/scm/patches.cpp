#include "contact/scm/patches.h"

#include <algorithm>
#include <limits>
#include <numbers>

namespace grouser {
namespace {

constexpr double kDiagonal = std::numbers::sqrt2, kKnight = 2.23606797749979;  // √5

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

}  // namespace

std::int32_t PatchFinder::root(std::int32_t label) {
  while (parents_[at(label)] != label) {
    parents_[at(label)] = parents_[at(parents_[at(label)])];
    label = parents_[at(label)];
  }
  return label;
}

int PatchFinder::label(const PaddedGrid& grid, const std::vector<double>& coverage, double least) {
  labels_.assign(grid.size(), -1);
  parents_.clear();
  const auto stride = static_cast<std::size_t>(grid.stride());
  for (int j = 0; j < grid.ny; ++j) {
    for (std::size_t c = grid.index(0, j), end = c + static_cast<std::size_t>(grid.nx); c < end;
         ++c) {
      if (!(coverage[c] > least)) continue;
      std::int32_t mine = labels_[c - 1];
      for (const std::size_t n : {c - stride - 1, c - stride, c - stride + 1}) {
        const std::int32_t theirs = labels_[n];
        if (theirs < 0 || theirs == mine) continue;
        if (mine < 0) {
          mine = theirs;
        } else {
          const std::int32_t a = root(mine), b = root(theirs);
          parents_[at(std::max(a, b))] = std::min(a, b);
        }
      }
      if (mine < 0) {
        mine = static_cast<std::int32_t>(parents_.size());
        parents_.push_back(mine);
      }
      labels_[c] = mine;
    }
  }
  numbers_.assign(parents_.size(), -1);
  int count = 0;
  for (std::int32_t l = 0; l < static_cast<std::int32_t>(parents_.size()); ++l) {
    std::int32_t& number = numbers_[at(root(l))];  // the lowest label of a region is its root
    if (number < 0) number = count++;
    numbers_[at(l)] = number;
  }
  for (std::int32_t& l : labels_) {
    if (l >= 0) l = numbers_[at(l)];
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
  // No sum of a neighbour and its step is below a cell that is not covered: that stays as it is. Rows and
  // columns two away exist but at the grid's rim.
  const auto sweep = [&](double* row, std::ptrdiff_t forward, bool inner) {
    const double* before = row - forward * grid.stride();
    const double* second = inner ? before - forward * grid.stride() : before;
    for (int k = 0; k < grid.nx; ++k) {
      const int i = forward > 0 ? k : grid.nx - 1 - k;
      const double straight = std::min(row[i - forward], before[i]) + 1;
      const double slanted = std::min(before[i - 1], before[i + 1]) + kDiagonal;
      double least_sum = std::min(straight, slanted);
      if (inner && i > 0 && i < grid.nx - 1) {
        const double wide = std::min(before[i - 2], before[i + 2]);
        const double steep = std::min(second[i - 1], second[i + 1]);
        least_sum = std::min(least_sum, std::min(wide, steep) + kKnight);
      }
      row[i] = std::min(row[i], least_sum);
    }
  };
  for (int j = 0; j < grid.ny; ++j) sweep(&distance[grid.index(0, j)], 1, j > 0);
  for (int j = grid.ny - 1; j >= 0; --j) sweep(&distance[grid.index(0, j)], -1, j < grid.ny - 1);
  for (std::size_t c = 0; c < grid.size(); ++c) {
    if (distance[c] < 0.5 && coverage[c] > least) distance[c] = 0.5 * coverage[c];
  }
}

}  // namespace grouser
