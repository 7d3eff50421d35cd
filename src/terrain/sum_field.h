#pragma once

#include <memory>
#include <vector>

#include "terrain/height_field.h"

namespace grouser::internal {

/// The sum of several fields: a raster and noise, noise and craters. Defined where all of them are.
/// Heights are added in the order given, so that the sum is reproducible to the bit.
class SumField final : public HeightField {
 public:
  /// Throws Error(input) if there is no field, one is null, or their domains have no point in
  /// common.
  explicit SumField(std::vector<std::shared_ptr<const HeightField>> fields);

  const std::vector<std::shared_ptr<const HeightField>>& fields() const { return fields_; }

  Rect domain() const override { return domain_; }
  SurfacePoint at(double x, double y) const override;
  /// As fast as its terms are on grids, within the domain.
  void heights(const GridSpec& grid, std::span<double> out) const override;
  HeightRange range(const Rect& rect) const override;

 private:
  std::vector<std::shared_ptr<const HeightField>> fields_;
  Rect domain_;
};

}  // namespace grouser::internal
