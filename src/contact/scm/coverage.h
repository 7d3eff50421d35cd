#pragma once

#include <vector>

#include "geometry/grid.h"

namespace grouser {

/// Exact area of a region within each cell of a grid, from the lines that bound it. The cell of a node is
/// the square around it. Lines may come in any order; those inside the region, drawn once each way,
/// cancel.
///
/// A line adds to its own cell the part to the right of it, and its height to all cells farther right;
/// sums along the rows then give the areas.
class Coverage {
 public:
  void reset(const GridSpec& grid);

  /// A piece of the boundary, the region to its left. The part beyond the cells' border is moved onto it.
  void add_line(const Vec2& from, const Vec2& to);

  /// Part of each cell that is covered, in [0, 1].
  const std::vector<double>& finish();

 private:
  void add_in_row(int row, double y0, double y1, double x0, double x1);

  GridSpec grid_;
  std::vector<double> cells_;  // a column more than the grid, for what lies right of all cells
};

/// Length of the boundary of a region, given the covered part of each cell: the integral of the gradient
/// (Sobel's) of the covered part. Its mean error over all directions, 0.2273 %, is taken out. For discs
/// the rest is -23 % (ds/R)², with less than 0.01 % of scatter over the positions of the grid.
class BoundaryLength {
 public:
  /// Gradient of the covered part at a cell [1/m], from the eight cells around it; cells off the grid
  /// count as not covered.
  static Vec2 gradient(const GridSpec& grid, const std::vector<double>& coverage, int i, int j);
  /// Contribution of a cell [m].
  static double of_gradient(const GridSpec& grid, const Vec2& gradient) {
    return gradient.norm() * grid.spacing * grid.spacing / 1.002273;
  }
};

}  // namespace grouser
