#include "scene/ground_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "assets/surface.h"
#include "core/log.h"
#include "scene/field_reader.h"
#include "scene/soil_reader.h"

namespace grouser::internal {
namespace {

constexpr Range kSpacing{1e-4, 100, false, "m", ranges::kMetresHint};
constexpr std::size_t kMostSoils = 256;  // a raster's classes are bytes

/// Runs work that may throw Error; its findings are placed where the value that asked for it stands.
template <class Work>
auto placed(const YamlValue& value, IssueList& issues, Work&& work)
    -> std::optional<decltype(work())> {
  try {
    return work();
  } catch (const Error& error) {
    for (Issue issue : error.issues()) {
      const Place place = place_of(value, issue.field);
      if (!issue.file.empty() && issue.file != place.file) {
        issue.message = issue.file + ": " + issue.message;
      }
      issue.file = place.file;
      issue.line = place.line;
      issue.field = place.field;
      issues.add(std::move(issue));
    }
    return std::nullopt;
  }
}

/// The soils of a scene, each once.
class SoilList {
 public:
  /// Soils' files are looked for in `folder`.
  SoilList(const std::filesystem::path& folder, IssueList& issues)
      : folder_(folder), issues_(issues) {}

  /// Index of the soil that a value describes.
  std::optional<int> add(const YamlValue& value) {
    auto soil = read_soil(value, issues_, folder_);
    if (!soil) return std::nullopt;
    if (soils_.size() == kMostSoils) {
      issues_.add(issue_at(value.place, fmt::format("there are more than {} soils", kMostSoils)));
      return std::nullopt;
    }
    soils_.push_back(*std::move(soil));
    return static_cast<int>(soils_.size()) - 1;
  }
  std::vector<Soil> take() { return std::move(soils_); }

 private:
  const std::filesystem::path& folder_;
  IssueList& issues_;
  std::vector<Soil> soils_;
};

std::vector<Vec2> read_polygon(MapReader& map) {
  std::vector<Vec2> corners;
  map.require("polygon");
  for (const YamlValue& item : map.list("polygon")) {
    const auto xy = read_numbers(item, ranges::kPosition, 2, 2, map.issues());
    if (xy) corners.emplace_back((*xy)[0], (*xy)[1]);
  }
  return corners;
}

std::vector<SoilZone> read_zones(MapReader& terrain, SoilList& soils) {
  std::vector<SoilZone> zones;
  for (const YamlValue& item : terrain.list("zones")) {
    MapReader map(item, terrain.issues());
    SoilZone zone;
    zone.name = map.name("name").value_or(fmt::format("zone{}", zones.size()));
    zone.polygon = read_polygon(map);
    const YamlValue* soil = map.require("soil");
    zone.soil = soil != nullptr ? soils.add(*soil).value_or(0) : 0;
    map.finish();
    zones.push_back(std::move(zone));
  }
  return zones;
}

/// A file whose numbers 0, 1, 2 ... are the soils of a list, laid with its centre on the origin.
SoilRaster read_soil_raster(const YamlValue& value, const std::filesystem::path& folder,
                            SoilList& soils, IssueList& issues) {
  MapReader map(value, issues);
  const auto file = map.required_reference("file");
  const auto pixel = map.number("pixel", ranges::kLength);
  std::vector<std::uint8_t> classes;
  map.require("soils");
  for (const YamlValue& item : map.list("soils")) {
    classes.push_back(static_cast<std::uint8_t>(soils.add(item).value_or(0)));
  }
  map.finish();
  if (!file || classes.empty()) return {};
  DemOptions options{.no_data = NoDataFill::refuse, .interpolation = Interpolation::bilinear};
  // Black is class 0 and white class 255: an image's grey values are the classes themselves.
  if (pixel) options.image = DemOptions::ImageScale{.pixel = *pixel, .black = 0, .white = 255};
  const auto dem = placed(value, issues, [&] { return read_dem(folder / file->text, options); });
  if (!dem) return {};
  SoilRaster raster{.grid = dem->field->grid(), .soil = {}};
  raster.grid.origin -= raster.grid.rect().centre();
  for (const double number : dem->field->values()) {
    const double rounded = std::round(number);
    if (std::abs(number - rounded) > 1e-3 || rounded < 0 ||
        rounded >= static_cast<double>(classes.size())) {
      issues.add(issue_at(file->place, "holds a number that is no class", fmt::format("{}", number),
                          fmt::format("0 ... {}", classes.size() - 1)));
      return {};
    }
    raster.soil.push_back(classes[static_cast<std::size_t>(rounded)]);
  }
  return raster;
}

/// Takes the loose rocks out of a field.
RockField split_loose(RockField& field) {
  RockField loose{.shapes = field.shapes};
  std::ranges::copy_if(field.rocks, std::back_inserter(loose.rocks), &PlacedRock::loose);
  std::erase_if(field.rocks, std::mem_fn(&PlacedRock::loose));
  return loose;
}

}  // namespace

std::shared_ptr<const Ground> read_ground(const YamlValue& value,
                                          const std::filesystem::path& folder,
                                          std::span<const std::string_view> other_keys,
                                          IssueList& issues) {
  const std::size_t before = issues.issues().size();
  MapReader map(value, issues);
  SurfaceSpec surface_spec;
  if (const YamlValue* surface = map.require("surface")) {
    read_spec(*surface, folder, surface_spec, issues);
  }
  const ElevationMapOptions options{.spacing = map.number("spacing", kSpacing, 0.01)};
  SoilList soils(folder, issues);
  if (const YamlValue* soil = map.require("soil")) soils.add(*soil);
  std::vector<SoilZone> zones = read_zones(map, soils);
  SoilRaster raster;
  if (const YamlValue* classes = map.find("soil_raster")) {
    raster = read_soil_raster(*classes, folder, soils, issues);
  }
  std::optional<RockFieldSpec> rock_spec;
  if (const YamlValue* rocks = map.find("rocks")) {
    read_spec(*rocks, folder, rock_spec.emplace(), issues);
  }
  for (const std::string_view key : other_keys) map.find(key);
  map.finish();
  if (issues.issues().size() > before) return nullptr;

  const auto surface =
      placed(*value.find("surface"), issues, [&] { return make_surface(surface_spec); });
  auto soil_map = placed(
      value, issues, [&] { return SoilMap(soils.take(), std::move(zones), std::move(raster)); });
  if (!surface || !soil_map) return nullptr;
  auto elevation = placed(value, issues, [&] { return ElevationMap(*surface, options); });
  const YamlValue* rocks_value = value.find("rocks");
  auto rocks = placed(rocks_value != nullptr ? *rocks_value : value, issues, [&] {
    if (!rock_spec) return RockField{};
    check_on_terrain(*rock_spec, (*surface)->domain());
    return make_rock_field(*rock_spec, **surface);
  });
  if (!elevation || !rocks) return nullptr;
  if (rocks->report.refused > 0) {
    log(LogLevel::warning,
        fmt::format("{}:{}: of {} rocks, {} found no room", rocks_value->place.file,
                    rocks_value->place.line, rocks->report.asked, rocks->report.refused));
  }
  RockField loose = split_loose(*rocks);
  return std::make_shared<const Ground>(
      Ground{*std::move(elevation), *std::move(soil_map), *std::move(rocks), std::move(loose)});
}

}  // namespace grouser::internal
