#pragma once

#include <cstdint>
#include <vector>

#include "contact/scm/coverage.h"

namespace grouser::internal {

/// Covered cells side by side in a row of a padded grid: from `begin` to before `end`.
struct CellRun {
  std::size_t begin = 0, end = 0;
  std::int32_t patch = 0;  ///< the region that they belong to
};

/// Connected regions among covered cells. Cells that share a side or a corner are one region.
class PatchFinder {
 public:
  /// Labels all cells whose coverage is above `least`. Regions are numbered in order of their first
  /// cell, row by row. Returns how many there are.
  int label(const PaddedGrid& grid, const std::vector<double>& coverage, double least);

  /// All covered cells, row by row.
  const std::vector<CellRun>& runs() const { return runs_; }
  /// Region of a cell, -1 if it is not covered.
  std::int32_t label_of(std::size_t cell) const { return labels_[cell]; }
  /// Region of a cell, or of a covered cell next to it; -1 if there is none.
  std::int32_t label_near(const PaddedGrid& grid, std::size_t cell) const;

 private:
  std::int32_t root(std::int32_t label);
  void join(CellRun& run, std::size_t stride, std::size_t& above);

  std::vector<CellRun> runs_;
  std::vector<std::int32_t> labels_;   // padded
  std::vector<std::int32_t> parents_;  // of provisional labels
  std::vector<std::int32_t> numbers_;  // of roots, once all are joined
};

/// Lowers distances given per cell, padded, to those over other cells, in cells: by two sweeps over the grid, with 1,
/// √2 and √5 for neighbours, which is at most 2.7 % too long (Borgefors 1986).
void spread_distance(const PaddedGrid& grid, std::vector<double>& distance);

/// Distance of each covered cell to the boundary of its region, about, in cells: see spread_distance(). Of a cell
/// that is covered in part, the middle of that part counts.
void border_distance(const PaddedGrid& grid, const std::vector<double>& coverage, double least,
                     std::vector<double>& distance);

}  // namespace grouser::internal
