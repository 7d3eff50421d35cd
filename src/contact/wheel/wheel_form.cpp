#include "contact/wheel/wheel_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.h"

namespace grouser::internal {

WheelSoil wheel_soil(const Soil& soil, const WheelForm& wheel, double gravity) {
  WheelSoil result{.exponent = soil.sinkage_exponent,
                   .stiffness = soil.cohesive_modulus / wheel.width + soil.frictional_modulus,
                   .cohesion = soil.cohesion,
                   .tan_friction = std::tan(soil.friction_angle),
                   .shear_modulus = soil.shear_modulus,
                   .gravity = gravity,
                   .weight = soil.density * gravity};
  result.root_passive = std::tan(std::numbers::pi / 4 + soil.friction_angle / 2);
  result.passive = result.root_passive * result.root_passive;
  constexpr double kLeastGravity = 1e-6;  // [m/s²]: nothing rests on its ground there
  result.rocking =
      std::sqrt(2 * soil.shear_modulus / (std::max(gravity, kLeastGravity) * result.tan_friction));
  // The plane of failure rises at 45° - φ/2.
  const double rise = std::numbers::pi / 4 - soil.friction_angle / 2, cot = 1 / std::tan(rise);
  const double d1 = cot + std::tan(rise + soil.friction_angle);
  const double d2 = 0.5 * (cot + cot * cot * result.tan_friction);
  result.side_cohesion = d1 * soil.cohesion;
  result.side_weight = d1 * d2 * result.weight;
  return result;
}

void RangeCheck::operator()(const char* field, double value, bool legal, const char* range) const {
  if (legal) return;
  issues.add({.message = "is out of range",
              .field = field,
              .value = fmt::format("{:g}", value),
              .legal = range});
}

void validate(const WheelForm& wheel, const Soil& soil) {
  IssueList issues;
  const RangeCheck check{issues};
  check("radius", wheel.radius, wheel.radius > 0, "> 0 [m]");
  check("width", wheel.width, wheel.width > 0, "> 0 [m]");
  check("grouser_height", wheel.grouser_height, wheel.grouser_height >= 0, ">= 0 [m]");
  check("soil.cohesive_modulus", soil.cohesive_modulus,
        soil.cohesive_modulus / wheel.width + soil.frictional_modulus > 0,
        "such that k_c/b + k_φ > 0 for the wheel's width");
  issues.throw_if_any();
}

double contact_length(const WheelForm& wheel, double z) {
  const double depth = std::clamp(z, 0.0, wheel.radius);
  return std::sqrt((2 * wheel.radius - depth) * depth);
}

double bulldozing(const WheelSoil& soil, double width, double z) {
  return width * z * (0.5 * soil.weight * z * soil.passive + 2 * soil.cohesion * soil.root_passive);
}

}  // namespace grouser::internal
