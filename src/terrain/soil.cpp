#include "terrain/soil.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "core/error.h"
#include "core/text.h"

namespace grouser::internal {

void validate(const Soil& soil, const std::string& place) {
  IssueList issues;
  const auto check = [&](bool good, const char* field, double value, const char* legal) {
    if (good && std::isfinite(value)) return;
    issues.add({.message = "no soil has this",
                .field = place.empty() ? field : place + "." + field,
                .value = format_number(value),
                .legal = legal});
  };
  constexpr double kRightAngle = std::numbers::pi / 2;
  const auto sharp = [](double angle) { return angle > 0 && angle < kRightAngle; };
  check(soil.sinkage_exponent > 0 && soil.sinkage_exponent <= 5, "sinkage_exponent",
        soil.sinkage_exponent, "> 0, <= 5 [-]");
  check(true, "cohesive_modulus", soil.cohesive_modulus, "finite [N/m^(n+1)]");
  check(soil.frictional_modulus > 0, "frictional_modulus", soil.frictional_modulus,
        "> 0 [N/m^(n+2)]");
  check(soil.cohesion >= 0, "cohesion", soil.cohesion, ">= 0 [Pa]");
  check(sharp(soil.friction_angle), "friction_angle", soil.friction_angle, "> 0, < pi/2 [rad]");
  check(soil.shear_modulus > 0, "shear_modulus", soil.shear_modulus, "> 0 [m]");
  check(soil.density > 0, "density", soil.density, "> 0 [kg/m³]");
  check(sharp(soil.repose_angle), "repose_angle", soil.repose_angle, "> 0, < pi/2 [rad]");
  issues.throw_if_any();
}

double smallest_plate_width(const Soil& soil) {
  return std::max(0.0, -soil.cohesive_modulus / soil.frictional_modulus);
}

const Soil& find_soil(const std::string& name) {
  const std::vector<Soil>& soils = soil_presets();
  std::vector<std::string_view> names;
  for (const Soil& soil : soils) {
    if (soil.name == name) return soil;
    names.push_back(soil.name);
  }
  const std::optional<std::string> meant = closest_match(name, names);
  throw Error(ErrorKind::input, {.message = "there is no such soil",
                                 .field = "soil",
                                 .value = name,
                                 .legal = meant ? fmt::format("did you mean {}?", *meant)
                                                : fmt::format("{}", fmt::join(names, ", "))});
}

}  // namespace grouser::internal
