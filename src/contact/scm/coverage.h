#pragma once

#include <vector>

#include "contact/scm/padded_grid.h"
#include "math/spatial.h"

namespace grouser::internal {

/// Exact area of a region within each cell of a grid, from the lines that bound it. Positions are in
/// cells, counted from the lower left corner of the first one. Lines may come in any order; those inside
/// the region, drawn once each way, cancel.
///
/// A line adds to its own cell the part to the right of it, and its height to all cells farther right;
/// sums along the rows then give the areas.
class Coverage {
 public:
  void reset(int nx, int ny);

  /// A piece of the boundary, the region to its left. The part beyond the cells' border is moved onto it.
  void add_line(double from_x, double from_y, double to_x, double to_y);

  /// A box of cells, from (first_i, first_j) on.
  struct Box {
    int first_i = 0, first_j = 0;
    PaddedGrid cells;
  };
  /// The cells that lines run through, and one more on each side as far as there are any. No other cell is
  /// covered.
  Box box() const;

  /// Part of each cell of the box that is covered, in [0, 1], and zeros around.
  void finish(std::vector<double>& covered) const;

 private:
  void add_in_row(int row, double dy, double x0, double x1);

  int nx_ = 0, ny_ = 0;
  std::vector<double> lines_;  // a column more than the cells, for what lies right of all of them
  double x_low_ = 0, x_high_ = 0, y_low_ = 0, y_high_ = 0;  // of lines
};

/// Gradient of the covered part over the cells, per cell (Sobel's): points inward. Its integral is the
/// length of the boundary, once its mean error over all directions, 0.2273 %, is taken out: for discs
/// of radius R the rest is -23 % (cell/R)², with less than 0.01 % of scatter over positions of the grid.
class CoverageGradient {
 public:
  /// For all cells; what lies off the grid counts as not covered.
  void compute(const PaddedGrid& grid, const std::vector<double>& coverage);

  /// Length of the boundary that a cell stands for, in cells.
  double length(std::size_t cell) const { return length_[cell]; }
  /// Of that length, drawn inward.
  double inward_x(std::size_t cell) const { return x_[cell] * (1 / kMeanError); }
  double inward_y(std::size_t cell) const { return y_[cell] * (1 / kMeanError); }

 private:
  static constexpr double kMeanError = 1.002273;

  std::vector<double> x_, y_, length_;  // padded; nothing around
};

}  // namespace grouser::internal
