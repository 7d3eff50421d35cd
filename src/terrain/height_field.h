#pragma once

#include <limits>
#include <span>

#include "geometry/grid.h"

namespace grouser::internal {

/// A surface z = h(x, y) at one point.
struct SurfacePoint {
  double height = 0;             ///< h [m]
  Vec2 gradient = Vec2::Zero();  ///< (∂h/∂x, ∂h/∂y) [-]

  /// Unit normal, upward.
  Vec3 normal() const { return Vec3(-gradient.x(), -gradient.y(), 1).normalized(); }
};

struct HeightRange {
  double min = 0, max = 0;  ///< [m]
};

/// A surface z = h(x, y) known at every point, whatever it is made from: a raster, a profile,
/// noise, craters, or a sum of these. Immutable and shared between threads.
class HeightField {
 public:
  virtual ~HeightField() = default;

  /// Where the field is defined; infinite if everywhere. Outside, the height of the nearest point
  /// of the domain holds, and the gradient is that of this continuation.
  virtual Rect domain() const = 0;

  /// Not a number at a point that is none.
  virtual SurfacePoint at(double x, double y) const = 0;

  /// Heights at the nodes of a grid; out.size() == grid.size(). In parallel, same bits for any
  /// number of threads, and equal to at().height bit for bit.
  virtual void heights(const GridSpec& grid, std::span<double> out) const;

  /// Bounds of the height within a rectangle; safe, not necessarily tight.
  virtual HeightRange range(const Rect& rect) const = 0;
};

/// The whole plane, the domain of a field that is defined everywhere.
inline Rect infinite_rect() {
  const Vec2 corner = Vec2::Constant(std::numeric_limits<double>::infinity());
  return {-corner, corner};
}

/// The gradient at (x, y) of a field continued beyond its domain, from the gradient at the nearest
/// point of the domain: level along each axis that leads out.
inline Vec2 continued_gradient(const Rect& domain, double x, double y, const Vec2& gradient) {
  const bool inside_x = domain.lower.x() <= x && x <= domain.upper.x();
  const bool inside_y = domain.lower.y() <= y && y <= domain.upper.y();
  return {inside_x ? gradient.x() : 0.0, inside_y ? gradient.y() : 0.0};
}

}  // namespace grouser::internal
