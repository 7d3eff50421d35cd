#include "terrain/flat_field.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/error.h"

namespace grouser::internal {
namespace {

// A level plane is as high at infinity as anywhere.
double rise(double slope, double distance) {
  return slope == 0 && std::isinf(distance) ? 0.0 : slope * distance;
}

}  // namespace

FlatField::FlatField(const FlatOptions& options) : options_(options) {
  IssueList issues;
  const auto check = [&](bool good, const char* field, const Vec2& value, const char* legal) {
    if (good) return;
    issues.add({.message = "a plane cannot have this",
                .field = field,
                .value = fmt::format("{}, {}", value.x(), value.y()),
                .legal = legal});
  };
  check(std::isfinite(options.height), "height", {options.height, 0}, "finite [m]");
  check(options.gradient.allFinite(), "gradient", options.gradient, "finite [-]");
  check((options.domain.size().array() >= 0).all(), "domain", options.domain.size(),
        "upper corner not below the lower one [m]");
  issues.throw_if_any();
}

SurfacePoint FlatField::at(double x, double y) const {
  const auto& [lower, upper] = options_.domain;
  const Vec2& slope = options_.gradient;
  return {options_.height + (rise(slope.x(), std::clamp(x, lower.x(), upper.x())) +
                             rise(slope.y(), std::clamp(y, lower.y(), upper.y()))),
          continued_gradient(options_.domain, x, y, slope)};
}

// Rounded sums and products keep the order of their operands, so the corners bound at() to the bit.
HeightRange FlatField::range(const Rect& rect) const {
  const Vec2 a = options_.domain.clamped(rect.lower), b = options_.domain.clamped(rect.upper);
  const Vec2& slope = options_.gradient;
  const auto [x_min, x_max] = std::minmax({rise(slope.x(), a.x()), rise(slope.x(), b.x())});
  const auto [y_min, y_max] = std::minmax({rise(slope.y(), a.y()), rise(slope.y(), b.y())});
  return {options_.height + (x_min + y_min), options_.height + (x_max + y_max)};
}

}  // namespace grouser::internal
