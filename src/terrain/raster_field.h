#pragma once

#include <memory>
#include <vector>

#include "terrain/height_field.h"
#include "terrain/height_pyramid.h"
#include "terrain/interpolation.h"

namespace grouser::internal {

/// Heights at the nodes of a grid, interpolated between them. A bicubic surface continues its nodes
/// by one along a line at the borders, so that a plane is a plane up to there. range() answers from
/// the cells themselves over few of them and from a pyramid of minima and maxima over many, in time
/// logarithmic in the number of nodes.
class RasterField final : public HeightField {
 public:
  /// `heights` all finite, of grid.size(); nx, ny >= 2. Throws Error(input) otherwise.
  RasterField(const GridSpec& grid, std::vector<double> heights,
              Interpolation interpolation = Interpolation::bicubic);

  const GridSpec& grid() const { return grid_; }
  Interpolation interpolation() const { return interpolation_; }
  std::span<const double> values() const { return values_; }

  Rect domain() const override { return domain_; }
  SurfacePoint at(double x, double y) const override;
  HeightRange range(const Rect& rect) const override;

 private:
  // A place within a cell: between node i and i + 1, at the fraction t in [0, 1].
  struct Place {
    int i;
    double t;
  };
  Place place(double clamped, int axis) const;
  const double* row(int j) const { return values_.data() + grid_.index(0, j); }
  SurfacePoint in_cell(Place x, Place y) const;
  void gather(int i, int j, Patch& patch) const;
  HeightRange cell_range(int i, int j, const Vec2& lower, const Vec2& upper) const;
  HeightPyramid make_pyramid() const;

  GridSpec grid_;
  Rect domain_;
  double cells_per_metre_ = 1;
  Interpolation interpolation_;
  std::vector<double> values_;
  HeightPyramid pyramid_;
};

}  // namespace grouser::internal
