#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "contact/scm/padded_grid.h"

namespace grouser {

/// Slopes of a body's surface as a whole where it has ribs and hollows: over a way along which ribs cancel
/// out.
class MeanSlopes {
 public:
  static constexpr double kNone = std::numeric_limits<double>::infinity();

  /// From the heights of the body per cell, padded; kNone where it does not touch. Cells where `plate` is
  /// above 0 belong together, touched or not. `step` leads from a cell to the next: 1 along x, the grid's
  /// stride along y.
  void prepare(const PaddedGrid& grid, const std::vector<double>& heights,
               const std::vector<double>& plate, std::size_t step);

  /// Rise per cell from the cells that touch before this one to those after it, by their means: of `reach`
  /// cells on each side or, at the border of the plate, of as many as there are on both. `alone` if that is
  /// less than two, or none of them touches.
  double rise(std::size_t cell, int reach, double alone) const;

 private:
  /// Of the cells that touch, up to a cell.
  struct Sum {
    double height = 0, place = 0, count = 0;
  };
  static Sum between(const Sum& from, const Sum& to);

  std::size_t step_ = 1;
  std::vector<Sum> sums_;
  std::vector<std::int32_t> before_, after_;  // cells of the plate next to a cell, without a gap
};

}  // namespace grouser
