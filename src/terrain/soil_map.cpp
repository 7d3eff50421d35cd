#include "terrain/soil_map.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/text.h"
#include "terrain/polygon.h"

namespace grouser::internal {
namespace {

void check_soils(const std::vector<Soil>& soils, IssueList& issues) {
  if (soils.empty()) issues.add({.message = "there is no soil", .field = "soils", .legal = ">= 1"});
  for (std::size_t k = 0; k < soils.size(); ++k) {
    try {
      validate(soils[k], fmt::format("soils[{}]", k));
    } catch (const Error& error) {
      issues.append(error.issues());
    }
  }
}

void check_zones(const std::vector<SoilZone>& zones, std::size_t soils, IssueList& issues) {
  for (std::size_t k = 0; k < zones.size(); ++k) {
    const std::string place = fmt::format("zones[{}]", k);
    if (zones[k].soil < 0 || static_cast<std::size_t>(zones[k].soil) >= soils) {
      issues.add({.message = fmt::format("zone '{}' names a soil that there is not", zones[k].name),
                  .field = place + ".soil",
                  .value = std::to_string(zones[k].soil),
                  .legal = fmt::format(">= 0, < {}", soils)});
    }
    if (const std::string defect = polygon_defect(zones[k].polygon); !defect.empty()) {
      issues.add({.message = fmt::format("zone '{}' {}", zones[k].name, defect),
                  .field = place + ".polygon"});
    }
  }
}

void check_raster(const SoilRaster& raster, std::size_t soils, IssueList& issues) {
  const GridSpec& grid = raster.grid;
  if (grid.nx == 0 && grid.ny == 0 && raster.soil.empty()) return;
  if (grid.nx < 1 || grid.ny < 1 || raster.soil.size() != grid.size()) {
    issues.add({.message = "the number of classes is not that of the nodes",
                .field = "raster.soil",
                .value = std::to_string(raster.soil.size()),
                .legal = fmt::format("{} x {}", grid.nx, grid.ny)});
  }
  if (!(grid.spacing > 0) || !std::isfinite(grid.spacing) || !grid.origin.allFinite()) {
    issues.add({.message = "the grid has no place",
                .field = "raster.grid.spacing",
                .value = format_number(grid.spacing),
                .legal = "> 0 [m], with a finite origin"});
  }
  const auto most = std::max_element(raster.soil.begin(), raster.soil.end());
  if (most != raster.soil.end() && *most >= soils) {
    issues.add({.message = "names a soil that there is not",
                .field = fmt::format("raster.soil[{}]", most - raster.soil.begin()),
                .value = std::to_string(*most),
                .legal = fmt::format("< {}", soils)});
  }
}

}  // namespace

SoilMap::SoilMap(Soil everywhere) : SoilMap(std::vector<Soil>{std::move(everywhere)}, {}) {}

SoilMap::SoilMap(std::vector<Soil> soils, std::vector<SoilZone> zones, SoilRaster raster)
    : soils_(std::move(soils)), zones_(std::move(zones)), raster_(std::move(raster)) {
  IssueList issues;
  check_soils(soils_, issues);
  check_zones(zones_, soils_.size(), issues);
  check_raster(raster_, soils_.size(), issues);
  issues.throw_if_any();
  for (const SoilZone& zone : zones_) bounds_.push_back(polygon_bounds(zone.polygon));
}

int SoilMap::index_at(double x, double y) const {
  const Vec2 point(x, y);
  for (std::size_t k = zones_.size(); k-- > 0;) {
    if (bounds_[k].contains(point) && polygon_contains(zones_[k].polygon, point)) {
      return zones_[k].soil;
    }
  }
  const GridSpec& grid = raster_.grid;
  const double i = std::floor((x - grid.origin.x()) / grid.spacing + 0.5);
  const double j = std::floor((y - grid.origin.y()) / grid.spacing + 0.5);
  if (!(i >= 0 && i < grid.nx && j >= 0 && j < grid.ny)) return 0;
  return raster_.soil[grid.index(static_cast<int>(i), static_cast<int>(j))];
}

const Soil& SoilMap::at(double x, double y) const {
  return soils_[static_cast<std::size_t>(index_at(x, y))];
}

}  // namespace grouser::internal
