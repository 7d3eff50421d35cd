#include "sim/soil_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/index.h"
#include "math/angle.h"
#include "multibody/kinematics.h"
#include "sim/rover_bodies.h"

namespace grouser::internal {
namespace {

constexpr double kOtherWidth = 1.5;

/// Bodies that may stand on soil.
std::set<int> bodies_on_soil(const World& world) {
  std::set<int> bodies;
  for (const auto& system : world.contacts) {
    for (const ContactElementInfo& element : system->elements()) {
      if (element.ground == GroundContact::soil) bodies.insert(element.body);
    }
  }
  return bodies;
}

using Warnings = std::vector<std::string>;

/// Figures that no soil has: mostly of other units.
void warn_of_figures(const Soil& soil, Warnings& warnings) {
  constexpr double kLightest = 200, kHeaviest = 5000;  // [kg/m³]
  constexpr double kRock = 2e5;                        // [Pa]
  constexpr double kSlippery = 3 * kDegree;
  if (soil.density < kLightest || soil.density > kHeaviest) {
    warnings.push_back(
        fmt::format("soil {}: a density of {:g} kg/m³ is none of a soil (it is in "
                    "kg/m³, not g/cm³)",
                    soil.name, soil.density));
  }
  if (soil.cohesion > kRock) {
    warnings.push_back(
        fmt::format("soil {}: a cohesion of {:g} Pa is that of rock (it is in Pa, not "
                    "kPa)",
                    soil.name, soil.cohesion));
  }
  if (soil.friction_angle < kSlippery) {
    warnings.push_back(
        fmt::format("soil {}: a friction angle of {:.3g}° is next to none "
                    "(friction_angle is in radians, friction_angle_deg in degrees)",
                    soil.name, soil.friction_angle * kDegPerRad));
  }
}

/// How deep a wheel sinks where it stands, by Bekker's law for a plate as wide as the wheel and as long as its radius.
void warn_of_bearing(const World& world, const Rover& rover, const Soil& soil, Warnings& warnings) {
  const Wheel& wheel = rover.wheels.front();
  const double load = rover_weight(world, rover) / static_cast<double>(rover.wheels.size());
  const double modulus = soil.cohesive_modulus / wheel.width + soil.frictional_modulus;
  if (!(modulus > 0)) return;  // refused elsewhere
  const double pressure = load / (wheel.width * wheel.radius);
  const double sinkage = std::pow(pressure / modulus, 1 / soil.sinkage_exponent);
  if (sinkage < wheel.radius) return;
  warnings.push_back(fmt::format(
      "soil {} does not bear {}: under {:.3g} N per wheel they sink {:.2g} m by Bekker's law, and "
      "their radius is {:g} m; moduli are in N/m^(n+1) and N/m^(n+2), not kN, masses in kg",
      soil.name, rover.name, load, sinkage, wheel.radius));
}

/// Ground under a rover, at the start, that is steeper than what the soil can hold.
void warn_of_slope(const World& world, const Rover& rover, Warnings& warnings) {
  const ElevationMap& map = world.ground->map;
  Kinematics kinematics(world.model);
  forward_kinematics(world.model, world.initial.q, world.initial.v, kinematics);
  const Vec2 place = kinematics.X_WB[at(rover.chassis)].p.head<2>();
  if (!map.domain().contains(place)) return;
  const Vec3 normal = map.plane_under(place, 2 * rover.wheels.front().radius).normal;
  const double slope = std::acos(std::min(1.0, normal.z()));
  const Soil& soil = world.ground->soils.at(place.x(), place.y());
  if (slope <= soil.friction_angle) return;
  warnings.push_back(
      fmt::format("{} begins on a slope of {:.0f}°, steeper than the friction angle of "
                  "soil {}, {:.0f}°: nothing holds it there",
                  rover.name, slope * kDegPerRad, soil.name, soil.friction_angle * kDegPerRad));
}

}  // namespace

std::vector<std::string> soil_range_warnings(const World& world) {
  std::vector<std::string> warnings;
  if (!world.ground) return warnings;
  const std::set<int> on_soil = bodies_on_soil(world);
  std::set<double> widths;
  for (const Rover& rover : world.rovers) {
    for (const Wheel& wheel : rover.wheels) {
      if (on_soil.contains(wheel.body)) widths.insert(wheel.width);
    }
  }
  if (!widths.empty()) {
    for (const Soil& soil : world.ground->soils.soils()) warn_of_figures(soil, warnings);
  }
  for (const Rover& rover : world.rovers) {
    if (rover.wheels.empty() || !on_soil.contains(rover.wheels.front().body)) continue;
    for (const Soil& soil : world.ground->soils.soils()) {
      warn_of_bearing(world, rover, soil, warnings);
    }
    warn_of_slope(world, rover, warnings);
  }
  for (const Soil& soil : world.ground->soils.soils()) {
    if (soil.greatest_width <= 0) continue;
    for (const double width : widths) {
      if (width >= soil.least_width / kOtherWidth && width <= soil.greatest_width * kOtherWidth) {
        continue;
      }
      warnings.push_back(
          fmt::format("soil {}: its figures come from plates or wheels {:g} to {:g} m wide; a "
                      "wheel here is {:g} m",
                      soil.name, soil.least_width, soil.greatest_width, width));
    }
  }
  return warnings;
}

}  // namespace grouser::internal
