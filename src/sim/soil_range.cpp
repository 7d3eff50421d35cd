#include "sim/soil_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace grouser {
namespace {

constexpr double kOtherWidth = 1.5;

bool stands_on_soil(const World& world, const Wheel& wheel) {
  const auto is_it = [&](const auto& contact) { return contact.body == wheel.body; };
  return std::ranges::any_of(world.soil_contacts, is_it) ||
         std::ranges::any_of(world.wheel_contacts, is_it);
}

}  // namespace

std::vector<std::string> soil_range_warnings(const World& world) {
  std::vector<std::string> warnings;
  if (!world.ground) return warnings;
  std::set<double> widths;
  for (const Rover& rover : world.rovers) {
    for (const Wheel& wheel : rover.wheels) {
      if (stands_on_soil(world, wheel)) widths.insert(wheel.width);
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

}  // namespace grouser
