#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace grouser::internal {

/// Gravity at the surface of a body of the solar system.
struct GravityField {
  std::string_view name;
  double acceleration = 0;  ///< downwards [m/s²]
};

/// All known places, "zero" among them.
std::span<const GravityField> gravity_fields();

/// Acceleration [m/s²] of a place, if it is known.
std::optional<double> find_gravity(std::string_view name);

}  // namespace grouser::internal
