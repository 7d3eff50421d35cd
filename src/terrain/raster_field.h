#pragma once

#include <memory>
#include <vector>

#include "terrain/height_field.h"

namespace grouser {

enum class Interpolation {
  bilinear,  ///< continuous; gradient jumps between cells
  bicubic,   ///< Catmull-Rom: continuous gradient, through all nodes; may overshoot
};

/// Heights at the nodes of a grid, interpolated between them. range() answers from a pyramid of minima
/// and maxima, in time logarithmic in the number of nodes.
class RasterField final : public HeightField {
 public:
  /// `heights` all finite, of grid.size(); nx, ny >= 2. Throws Error(input) otherwise.
  RasterField(const GridSpec& grid, std::vector<double> heights,
              Interpolation interpolation = Interpolation::bicubic);
  ~RasterField() override;

  const GridSpec& grid() const;
  Interpolation interpolation() const;
  std::span<const double> values() const;

  Rect domain() const override;
  SurfacePoint at(double x, double y) const override;
  HeightRange range(const Rect& rect) const override;
};

}  // namespace grouser
