#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "terrain/elevation_map.h"

namespace grouser::internal {

/// Normal of the untouched ground, smoothed over the size of a wheel. Gradients are central differences of heights at
/// the nodes of a lattice, interpolated bilinearly: a continuous function of the place alone. What was found for a cell
/// of the lattice is kept, so that heights are looked up only where a wheel enters the next one.
class GroundSlope {
 public:
  /// At a place, on a lattice of `spacing` [m], > 0, that must be the same in each call. Upward, unit.
  Vec3 normal(const ElevationMap& map, double x, double y, double spacing) {
    const double u = x / spacing, v = y / spacing;
    const double i = std::floor(u), j = std::floor(v);
    if (i != i_ || j != j_) enter(map, i, j, spacing);
    const double s = u - i, t = v - j;
    const Vec2 gradient = (1 - t) * ((1 - s) * corners_[0] + s * corners_[1]) +
                          t * ((1 - s) * corners_[2] + s * corners_[3]);
    return Vec3(-gradient.x(), -gradient.y(), 1).normalized();
  }

 private:
  void enter(const ElevationMap& map, double i, double j, double spacing) {
    for (std::size_t k = 0; k < corners_.size(); ++k) {
      const std::size_t column = k % 2, row = k / 2;
      const double x = (i + static_cast<double>(column)) * spacing;
      const double y = (j + static_cast<double>(row)) * spacing;
      corners_[k] = {(map.height(x + spacing, y) - map.height(x - spacing, y)) / (2 * spacing),
                     (map.height(x, y + spacing) - map.height(x, y - spacing)) / (2 * spacing)};
    }
    i_ = i, j_ = j;
  }

  double i_ = std::numeric_limits<double>::quiet_NaN();  // no cell yet
  double j_ = i_;
  std::array<Vec2, 4> corners_;
};

}  // namespace grouser::internal
