#include "terrain/dem_file.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "terrain/ascii_grid_check.h"
#include "terrain/dem_plan.h"
#include "terrain/gdal_file.h"
#include "terrain/no_data_fill.h"
#include "terrain/resample.h"

namespace grouser::internal {
namespace {

// Stored values become heights; returns how many were beyond all reason and now count as no data.
std::size_t to_heights(const DemPlan& plan, std::vector<double>& values) {
  constexpr double kHighest = 1e9;  // [m]; undeclared no-data values are -3.4e38 and the like
  std::size_t absurd = 0;
  for (double& value : values) {
    value = plan.factor * value + plan.offset;
    if (std::isnan(value) || std::abs(value) <= kHighest) continue;
    value = NAN;
    ++absurd;
  }
  return absurd;
}

// From the file's order to rows from south to north, columns from west to east.
void orient(const DemPlan& plan, std::vector<double>& values) {
  const std::ptrdiff_t nx = plan.window.nx, ny = plan.window.ny;
  for (std::ptrdiff_t low = 0, high = ny - 1; !plan.scale.south_first && low < high;
       ++low, --high) {
    std::swap_ranges(values.begin() + low * nx, values.begin() + (low + 1) * nx,
                     values.begin() + high * nx);
  }
  for (std::ptrdiff_t j = 0; plan.scale.east_first && j < ny; ++j) {
    std::reverse(values.begin() + j * nx, values.begin() + (j + 1) * nx);
  }
}

void fill_no_data(const std::string& file, NoDataFill method, PixelGrid& grid,
                  std::vector<std::string>& notes) {
  const auto missing = static_cast<std::size_t>(std::count_if(
      grid.heights.begin(), grid.heights.end(), [](double height) { return std::isnan(height); }));
  if (missing == 0) return;
  const std::string count = fmt::format("{} of {}", missing, grid.heights.size());
  if (missing == grid.heights.size() || method == NoDataFill::refuse) {
    throw Error(
        ErrorKind::input,
        {.message = missing == grid.heights.size() ? "no node has data" : "nodes have no data",
         .file = file,
         .field = "no_data",
         .value = count,
         .legal = method == NoDataFill::refuse ? "0, or another way to fill" : ""});
  }
  const bool smooth = method == NoDataFill::smooth;
  const FillReport report = smooth ? fill_harmonic(grid.heights, grid.nx, grid.ny)
                                   : fill_nearest(grid.heights, grid.nx, grid.ny);
  notes.push_back(fmt::format("{} nodes had no data and were filled ({})", count,
                              smooth ? "smooth" : "nearest"));
  if (!report.converged) {
    notes.push_back(fmt::format("the fill stopped after {} iterations, {:.3g} m from smooth",
                                report.iterations, report.residual));
  }
}

std::string describe(const RasterInfo& info, const RasterField& field) {
  const auto [low, high] = std::minmax_element(field.values().begin(), field.values().end());
  return fmt::format("{}, {} x {} nodes, {:.6g} m, heights {:.6g} ... {:.6g} m", info.format,
                     field.grid().nx, field.grid().ny, field.grid().spacing, *low, *high);
}

Dem read_planned(GdalFile& source, const DemPlan& plan, const DemOptions& options,
                 const std::string& file) {
  Dem dem;
  dem.notes = plan.scale.notes;
  PixelGrid grid{plan.window.nx, plan.window.ny, plan.scale.pixel, source.read(plan.window)};
  for (const std::string& warning : source.warnings()) dem.notes.push_back("GDAL: " + warning);
  if (const std::size_t absurd = to_heights(plan, grid.heights)) {
    dem.notes.push_back(fmt::format("{} heights beyond 1e9 m count as no data", absurd));
  }
  orient(plan, grid.heights);
  fill_no_data(file, options.no_data, grid, dem.notes);
  if (plan.resampled) grid = resample(grid, plan.spacing);
  dem.field =
      std::make_shared<RasterField>(GridSpec{.spacing = plan.spacing, .nx = grid.nx, .ny = grid.ny},
                                    std::move(grid.heights), options.interpolation);
  dem.description = describe(source.info(), *dem.field);
  dem.reference = source.info().reference_name;
  dem.file_origin = plan.scale.corner + plan.first.cwiseProduct(plan.scale.per_metre);
  return dem;
}

}  // namespace

Dem read_dem(const std::filesystem::path& file, const DemOptions& options) {
  const std::string shown = file.string();
  try {
    GdalFile source(file);
    const RasterInfo& info = source.info();
    const DemPlan plan = plan_dem(info, options, shown);
    if (source.driver() == "AAIGrid") {
      IssueList issues;
      check_ascii_grid(
          file, static_cast<std::uint64_t>(info.nx) * static_cast<std::uint64_t>(info.ny), issues);
      issues.throw_if_any();
    }
    return read_planned(source, plan, options, shown);
  } catch (const std::bad_alloc&) {
    throw Error(
        ErrorKind::input,
        Issue{.message = "does not fit into memory; crop it or make it coarser", .file = shown});
  }
}

}  // namespace grouser::internal
