#pragma once

#include "terrain/height_field.h"

namespace grouser::internal {

struct FlatOptions {
  double height = 0;              ///< at x = y = 0 [m]
  Vec2 gradient = Vec2::Zero();   ///< (∂h/∂x, ∂h/∂y), the tangents of the slopes [-]
  Rect domain = infinite_rect();  ///< [m]; a tilted plane is level beyond it
};

/// A plane, level or tilted.
class FlatField final : public HeightField {
 public:
  /// Throws Error(input) naming what is not finite or not in order.
  explicit FlatField(const FlatOptions& options = {});

  Rect domain() const override { return options_.domain; }
  SurfacePoint at(double x, double y) const override;
  HeightRange range(const Rect& rect) const override;

 private:
  FlatOptions options_;
};

}  // namespace grouser::internal
