#include "sim/soil_range.h"

#include <fmt/format.h>

#include <set>

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

std::vector<std::string> depth_warnings(const World& world, const RunReport& report) {
  std::vector<std::string> warnings;
  std::size_t slot = 0;
  for (const Rover& rover : world.rovers) {
    for (const Wheel& wheel : rover.wheels) {
      const WheelStatistics& met = report.wheels[slot++];
      if (met.sinkage_max < wheel.radius) continue;
      warnings.push_back(
          fmt::format("{} sank to its axle: no model of the soil holds so deep", wheel.name));
    }
  }
  return warnings;
}

}  // namespace grouser::internal
