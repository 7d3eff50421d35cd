#include "assets/surface.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "assets/asset_id.h"
#include "assets/field_check.h"
#include "core/log.h"
#include "core/parallel.h"
#include "core/text.h"
#include "terrain/flat_field.h"
#include "terrain/profile_field.h"
#include "terrain/sum_field.h"

namespace grouser::internal {
namespace {

using FieldPtr = std::shared_ptr<const HeightField>;

std::string inner(const std::string& place, const char* name) {
  return place.empty() ? name : place + "." + name;
}

DemOptions dem_options(const HeightMapSpec& spec) {
  DemOptions options{
      .resample = spec.resample, .no_data = spec.no_data, .interpolation = spec.interpolation};
  if (spec.crop) options.crop = Rect{spec.crop->lower, spec.crop->lower + spec.crop->size};
  if (spec.image) {
    options.image = {
        .pixel = spec.image->pixel, .black = spec.image->black, .white = spec.image->white};
  }
  return options;
}

/// The height map with its centre at the origin.
FieldPtr read_height_map(const HeightMapSpec& spec) {
  const Dem dem = read_dem(spec.file, dem_options(spec));
  for (const std::string& note : dem.notes) log(LogLevel::warning, spec.file + ": " + note);
  GridSpec grid = dem.field->grid();
  grid.origin = {-grid.spacing * (grid.nx - 1) / 2, -grid.spacing * (grid.ny - 1) / 2};
  std::vector<double> heights(dem.field->values().begin(), dem.field->values().end());
  double shift = 0;
  if (spec.centre_height) {
    const auto [low, high] = std::ranges::minmax(heights);
    shift = -spec.height_scale * (low + high) / 2;
  }
  for (double& h : heights) h = h * spec.height_scale + shift;
  return std::make_shared<RasterField>(grid, std::move(heights), spec.interpolation);
}

void check_profile(const ProfileSpec& spec, const std::string& place, IssueList& issues) {
  if (spec.points.empty()) {
    add_issue(issues, place, "points", 0, "a profile needs points", ">= 1 point");
  }
  for (std::size_t k = 1; k < spec.points.size(); ++k) {
    if (spec.points[k].x() > spec.points[k - 1].x()) continue;
    add_issue(issues, place, "points", spec.points[k].x(), "distances must rise",
              "> " + format_number(spec.points[k - 1].x()) + " [m]");
  }
}

}  // namespace

void check_fit(const SurfaceSpec& spec, const std::string& place, IssueList& issues) {
  if (spec.profile) check_profile(*spec.profile, inner(place, "profile"), issues);
  if (spec.height_map) return;  // its size is known only when it is read
  if (spec.noise) check_fit(*spec.noise, spec.size, inner(place, "noise"), issues);
  if (spec.random_craters) {
    check_fit(*spec.random_craters, spec.size, inner(place, "random_craters"), issues);
  }
}

void validate(const SurfaceSpec& spec, const std::string& place) { validate_fields(spec, place); }

std::uint64_t asset_id(const SurfaceSpec& spec) { return text_hash(canonical_text(spec)); }

std::shared_ptr<const HeightField> make_surface(const SurfaceSpec& spec) {
  validate(spec);
  std::vector<FieldPtr> parts;
  Rect domain{-spec.size / 2, spec.size / 2};
  if (spec.height_map) {
    parts.push_back(read_height_map(*spec.height_map));
    domain = parts.back()->domain();
  }
  if (spec.profile) {
    parts.push_back(std::make_shared<ProfileField>(
        ProfileOptions{.points = spec.profile->points,
                       .direction = spec.profile->direction_deg * std::numbers::pi / 180,
                       .smooth = spec.profile->smooth,
                       .domain = domain}));
  }
  if (spec.noise && spec.noise->rms_deviation > 0) {
    parts.push_back(std::make_shared<NoiseField>(*spec.noise, domain));
  }
  std::vector<CraterSpec> craters = spec.craters;
  if (spec.random_craters) {
    IssueList issues;
    check_fit(*spec.random_craters, domain.size(), "random_craters", issues);
    issues.throw_if_any();
    std::ranges::copy(random_craters(*spec.random_craters, domain), std::back_inserter(craters));
  }
  if (!craters.empty()) {
    parts.push_back(std::make_shared<CraterField>(std::move(craters), domain));
  }
  if (parts.empty()) parts.push_back(std::make_shared<FlatField>(FlatOptions{.domain = domain}));
  if (parts.size() == 1) return parts.front();
  return std::make_shared<SumField>(std::move(parts));
}

GridSpec surface_grid(const HeightField& surface, double spacing) {
  const Rect domain = surface.domain();
  const Vec2 size = domain.size();
  if (!size.allFinite() || !(spacing > 0) || !(size.minCoeff() > 0)) {
    throw Error(ErrorKind::input, {.message = "a grid needs a finite surface and a spacing",
                                   .field = "spacing",
                                   .value = format_number(spacing),
                                   .legal = "> 0 [m]"});
  }
  constexpr double kTiny = 1e-9;
  const double cells = std::max(1.0, std::ceil(size.x() / spacing - kTiny));
  GridSpec grid{.origin = domain.lower, .spacing = size.x() / cells};
  const double rows = std::max(1.0, std::floor(size.y() / grid.spacing + kTiny));
  constexpr double kMostNodes = 2e7;
  if (cells * rows > kMostNodes) {
    throw Error(ErrorKind::input, {.message = "the grid would have too many nodes",
                                   .field = "spacing",
                                   .value = format_number(spacing),
                                   .legal = "larger, for at most 20 million nodes"});
  }
  grid.nx = static_cast<int>(cells) + 1;
  grid.ny = static_cast<int>(rows) + 1;
  return grid;
}

TriMesh surface_mesh(const HeightField& surface, const GridSpec& grid) {
  std::vector<double> heights(grid.size());
  surface.heights(grid, heights);
  TriMesh mesh;
  mesh.vertices.resize(grid.size());
  const std::size_t cells_x = static_cast<std::size_t>(grid.nx) - 1;
  const std::size_t rows = static_cast<std::size_t>(grid.ny);
  mesh.triangles.resize(2 * cells_x * (rows - 1));
  constexpr std::size_t kRowsPerChunk = 16;
  parallel_for(rows, kRowsPerChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) {
      for (int i = 0; i < grid.nx; ++i) {
        const std::size_t node = grid.index(i, static_cast<int>(j));
        const Vec2 p = grid.node(i, static_cast<int>(j));
        mesh.vertices[node] = {p.x(), p.y(), heights[node]};
      }
      if (j + 1 == rows) continue;
      for (std::size_t i = 0; i < cells_x; ++i) {
        const auto a =
            static_cast<std::int32_t>(grid.index(static_cast<int>(i), static_cast<int>(j)));
        const std::int32_t b = a + 1, d = a + grid.nx, c = d + 1;
        Triangle* pair = &mesh.triangles[2 * (j * cells_x + i)];
        const bool even = (i + j) % 2 == 0;
        pair[0] = even ? Triangle{a, b, c} : Triangle{a, b, d};
        pair[1] = even ? Triangle{a, c, d} : Triangle{b, c, d};
      }
    }
  });
  return mesh;
}

}  // namespace grouser::internal
