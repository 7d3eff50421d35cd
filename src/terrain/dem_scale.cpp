#include "terrain/dem_scale.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "math/angle.h"

namespace grouser::internal {
namespace {

// Metres per radian along x and y at a latitude [rad].
Vec2 metres_per_radian(const RasterInfo& info, double latitude) {
  const double e2 = info.eccentricity_squared;
  const double w2 = 1 - e2 * std::pow(std::sin(latitude), 2);
  return {info.semi_major * std::cos(latitude) / std::sqrt(w2),
          info.semi_major * (1 - e2) / (w2 * std::sqrt(w2))};
}

// A turn or shear counts if it displaces a corner of the raster by a hundredth of a pixel.
bool is_turned(const RasterInfo& info) {
  const std::array<double, 6>& t = info.transform;
  return std::abs(t[2]) * info.ny > 0.01 * std::abs(t[1]) ||
         std::abs(t[4]) * info.nx > 0.01 * std::abs(t[5]);
}

void check_transform(const RasterInfo& info, const std::string& file, IssueList& issues) {
  const std::array<double, 6>& t = info.transform;
  const bool finite = std::all_of(t.begin(), t.end(), [](double x) { return std::isfinite(x); });
  if (!finite || t[1] == 0 || t[5] == 0 || !(info.unit > 0) || !std::isfinite(info.unit)) {
    issues.add({.message = "the size of a pixel is wrong",
                .file = file,
                .field = "pixel size",
                .value = fmt::format("{:g} x {:g}", t[1], t[5]),
                .legal = "finite, not zero"});
  } else if (is_turned(info)) {
    issues.add(
        {.message = "the raster is turned against its coordinates; warp it to north-up first",
         .file = file,
         .field = "geotransform",
         .value = fmt::format("{:g}, {:g}", t[2], t[4]),
         .legal = "0, 0"});
  }
}

void use_geographic(const RasterInfo& info, const std::string& file, IssueList& issues,
                    DemScale& scale) {
  const std::array<double, 6>& t = info.transform;
  const double latitude = (t[3] + 0.5 * t[5] * info.ny) * info.unit;
  const double extent = 0.5 * std::abs(t[5]) * info.ny * info.unit;
  if (!(info.semi_major > 0) || !(std::abs(latitude) + extent <= (90 + 0.5) * kDegree) ||
      !(std::abs(latitude) < 89.5 * kDegree)) {
    issues.add(
        {.message = "geographic coordinates cannot be turned into metres",
         .file = file,
         .field = "middle latitude",
         .value = fmt::format("{:g} deg, ellipsoid of {:g} m", latitude / kDegree, info.semi_major),
         .legal = "a raster away from the poles, a radius > 0"});
    return;
  }
  const Vec2 metres = metres_per_radian(info, latitude) * info.unit;
  scale.pixel = scale.pixel.cwiseProduct(metres);
  scale.corner *= info.unit / kDegree;
  scale.per_metre = metres.cwiseInverse() * (info.unit / kDegree);
  scale.notes.push_back(fmt::format(
      "degrees became metres at the middle latitude of {:.6g} deg on an ellipsoid of {:.9g} m",
      latitude / kDegree, info.semi_major));
}

}  // namespace

DemScale dem_scale(const RasterInfo& info, const std::string& file, IssueList& issues) {
  DemScale scale;
  const std::size_t before = issues.issues().size();
  check_transform(info, file, issues);
  if (issues.issues().size() > before) return scale;
  const std::array<double, 6>& t = info.transform;
  scale.pixel = {std::abs(t[1]), std::abs(t[5])};
  scale.south_first = t[5] > 0;
  scale.east_first = t[1] < 0;
  // Centres stand half a pixel inside the corners.
  scale.corner = {t[0] + t[1] * (scale.east_first ? info.nx - 0.5 : 0.5),
                  t[3] + t[5] * (scale.south_first ? 0.5 : info.ny - 0.5)};
  switch (info.reference) {
    case RasterInfo::Reference::geographic:
      use_geographic(info, file, issues, scale);
      break;
    case RasterInfo::Reference::projected:
      scale.pixel *= info.unit;
      scale.corner *= info.unit;
      if (info.unit != 1) {
        scale.notes.push_back(
            fmt::format("coordinates in units of {:.9g} m became metres", info.unit));
      }
      break;
    case RasterInfo::Reference::none:
      scale.notes.push_back(
          "the file names no coordinate system; its pixels are taken to be in metres");
      break;
    case RasterInfo::Reference::other:
      issues.add({.message = "the coordinate system is neither projected nor geographic",
                  .file = file,
                  .field = "coordinate system",
                  .value = info.reference_name});
  }
  return scale;
}

double metres_per_height_unit(const std::string& unit) {
  struct Unit {
    const char* name;
    double metres;
  };
  static constexpr Unit kUnits[] = {
      {"", 1},
      {"m", 1},
      {"metre", 1},
      {"metres", 1},
      {"meter", 1},
      {"meters", 1},
      {"km", 1000},
      {"kilometer", 1000},
      {"kilometre", 1000},
      {"kilometers", 1000},
      {"kilometres", 1000},
      {"dm", 0.1},
      {"cm", 0.01},
      {"centimetre", 0.01},
      {"centimeter", 0.01},
      {"mm", 0.001},
      {"millimetre", 0.001},
      {"millimeter", 0.001},
      {"ft", 0.3048},
      {"foot", 0.3048},
      {"feet", 0.3048},
      {"sfoot", 1200.0 / 3937},
      {"us-ft", 1200.0 / 3937},
      {"us survey foot", 1200.0 / 3937},
      {"ftus", 1200.0 / 3937},
      {"foot_us", 1200.0 / 3937},
  };
  std::string lower = unit;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const Unit& known : kUnits) {
    if (lower == known.name) return known.metres;
  }
  return 0;
}

}  // namespace grouser::internal
