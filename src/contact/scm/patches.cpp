#include "contact/scm/patches.h"

#include <algorithm>
#include <limits>
#include <numbers>

namespace grouser {
namespace {

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
  // Half a cell beyond the border of a cell that is not covered, seen from its neighbours.
  constexpr double kOutside = -0.5, kDiagonal = std::numbers::sqrt2;
  distance.assign(grid.size(), kOutside);
  for (int j = 0; j < grid.ny; ++j) {
    const std::size_t first = grid.index(0, j);
    for (std::size_t c = first; c < first + static_cast<std::size_t>(grid.nx); ++c) {
      const double full = std::numeric_limits<double>::infinity();
      const double own = coverage[c] > 1 - 1e-9 ? full : 0.5 * coverage[c];
      distance[c] = coverage[c] > least ? own : kOutside;
    }
  }
  // No sum of a neighbour and its step is below a cell that is not covered: that stays as it is.
  for (int j = 0; j < grid.ny; ++j) {
    double* row = &distance[grid.index(0, j)];
    const double* before = row - grid.stride();
    for (int i = 0; i < grid.nx; ++i) {
      const double straight = std::min(row[i - 1], before[i]) + 1;
      const double slanted = std::min(before[i - 1], before[i + 1]) + kDiagonal;
      row[i] = std::min(row[i], std::min(straight, slanted));
    }
  }
  for (int j = grid.ny - 1; j >= 0; --j) {
    double* row = &distance[grid.index(0, j)];
    const double* before = row + grid.stride();
    for (int i = grid.nx - 1; i >= 0; --i) {
      const double straight = std::min(row[i + 1], before[i]) + 1;
      const double slanted = std::min(before[i - 1], before[i + 1]) + kDiagonal;
      row[i] = std::min(row[i], std::min(straight, slanted));
    }
  }
}

}  // namespace grouser
