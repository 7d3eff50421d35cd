#include "terrain/raster_field.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/error.h"
#include "core/parallel.h"
#include "core/text.h"

namespace grouser::internal {
namespace {

void check_shape(const GridSpec& grid, std::size_t count) {
  IssueList issues;
  const auto refuse = [&](const char* field, std::string value, const char* legal) {
    issues.add({.message = "a raster of heights cannot have this",
                .field = field,
                .value = std::move(value),
                .legal = legal});
  };
  if (grid.nx < 2) refuse("nx", std::to_string(grid.nx), ">= 2");
  if (grid.ny < 2) refuse("ny", std::to_string(grid.ny), ">= 2");
  if (!(grid.spacing > 0) || !std::isfinite(grid.spacing)) {
    refuse("spacing", format_number(grid.spacing), "> 0 and finite [m]");
  }
  if (!grid.origin.allFinite()) refuse("origin", "not finite", "finite [m]");
  issues.throw_if_any();
  if (count == grid.size()) return;
  throw Error(ErrorKind::input, {.message = "the number of heights is not that of the nodes",
                                 .field = "heights",
                                 .value = std::to_string(count),
                                 .legal = fmt::format("{} x {}", grid.nx, grid.ny)});
}

void check_values(const GridSpec& grid, const std::vector<double>& values) {
  const auto bad = std::find_if(values.begin(), values.end(),
                                [](double value) { return !std::isfinite(value); });
  if (bad == values.end()) return;
  const std::size_t k = static_cast<std::size_t>(bad - values.begin());
  const std::size_t nx = static_cast<std::size_t>(grid.nx);
  throw Error(ErrorKind::input, {.message = "a height is not a finite number",
                                 .field = fmt::format("heights[{}, {}]", k % nx, k / nx),
                                 .value = format_number(*bad),
                                 .legal = "finite [m]"});
}

}  // namespace

RasterField::RasterField(const GridSpec& grid, std::vector<double> heights,
                         Interpolation interpolation)
    : grid_(grid), interpolation_(interpolation), values_(std::move(heights)) {
  check_shape(grid_, values_.size());
  check_values(grid_, values_);
  domain_ = grid_.rect();
  cells_per_metre_ = 1 / grid_.spacing;
  pyramid_ = make_pyramid();
}

RasterField::Place RasterField::place(double clamped, int axis) const {
  const int cells = (axis == 0 ? grid_.nx : grid_.ny) - 1;
  const double u = (clamped - grid_.origin[axis]) * cells_per_metre_;
  const int i = std::min(static_cast<int>(u), cells - 1);
  return {i, std::min(u - i, 1.0)};
}

SurfacePoint RasterField::at(double x, double y) const {
  // The comparisons are false for what is not a number, which the result must then be too.
  const bool inside = x >= domain_.lower.x() && x <= domain_.upper.x() && y >= domain_.lower.y() &&
                      y <= domain_.upper.y();
  if (inside) [[likely]] {
    return in_cell(place(x, 0), place(y, 1));
  }
  if (std::isnan(x) || std::isnan(y)) return {NAN, {NAN, NAN}};
  const Vec2 nearest = domain_.clamped({x, y});
  SurfacePoint point = in_cell(place(nearest.x(), 0), place(nearest.y(), 1));
  point.gradient = continued_gradient(domain_, x, y, point.gradient);
  return point;
}

SurfacePoint RasterField::in_cell(Place x, Place y) const {
  SurfacePoint point;
  if (interpolation_ == Interpolation::bilinear) {
    point = bilinear(row(y.i) + x.i, row(y.i + 1) + x.i, x.t, y.t);
  } else if (x.i > 0 && x.i + 2 < grid_.nx && y.i > 0 && y.i + 2 < grid_.ny) [[likely]] {
    point = bicubic(PatchView{row(y.i - 1) + x.i - 1, grid_.nx}, x.t, y.t);
  } else {
    Patch patch;
    gather(x.i, y.i, patch);
    point = bicubic(patch, x.t, y.t);
  }
  point.gradient *= cells_per_metre_;
  return point;
}

void RasterField::gather(int i, int j, Patch& patch) const {
  gather_patch(
      i, j, grid_.nx, grid_.ny, [&](int k, int r) { return row(r)[k]; }, patch);
}

// Over the part [lower, upper] of the cell's unit square.
HeightRange RasterField::cell_range(int i, int j, const Vec2& lower, const Vec2& upper) const {
  if (interpolation_ == Interpolation::bicubic) {
    Patch patch;
    gather(i, j, patch);
    return bicubic_range(patch, lower, upper);
  }
  // A bilinear surface over a rectangle along the axes has its extremes at the corners.
  const auto corner = [&](double u, double v) {
    const double height = bilinear(row(j) + i, row(j + 1) + i, u, v).height;
    return HeightRange{height, height};
  };
  return joined(joined(corner(lower.x(), lower.y()), corner(upper.x(), lower.y())),
                joined(corner(lower.x(), upper.y()), corner(upper.x(), upper.y())));
}

HeightPyramid RasterField::make_pyramid() const {
  constexpr int kBlock = HeightPyramid::kBlock;
  const int blocks_x = (grid_.nx - 2) / kBlock + 1, blocks_y = (grid_.ny - 2) / kBlock + 1;
  const std::size_t row_size = static_cast<std::size_t>(blocks_x);
  std::vector<HeightRange> blocks(row_size * static_cast<std::size_t>(blocks_y));
  parallel_for(blocks.size(), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const int i0 = kBlock * static_cast<int>(k % row_size);
      const int j0 = kBlock * static_cast<int>(k / row_size);
      HeightRange range = cell_range(i0, j0, Vec2::Zero(), Vec2::Ones());
      for (int j = j0; j < std::min(j0 + kBlock, grid_.ny - 1); ++j) {
        for (int i = i0; i < std::min(i0 + kBlock, grid_.nx - 1); ++i) {
          range = joined(range, cell_range(i, j, Vec2::Zero(), Vec2::Ones()));
        }
      }
      blocks[k] = range;
    }
  });
  return HeightPyramid(std::move(blocks), blocks_x);
}

HeightRange RasterField::range(const Rect& rect) const {
  const Vec2 lower = domain_.clamped(rect.lower), upper = domain_.clamped(rect.upper);
  const Place x0 = place(lower.x(), 0), x1 = place(upper.x(), 0);
  const Place y0 = place(lower.y(), 1), y1 = place(upper.y(), 1);
  constexpr int kFewCells = 2;  // along a side; beyond, the pyramid is quicker
  if (x1.i - x0.i >= kFewCells || y1.i - y0.i >= kFewCells) {
    return with_rounding(pyramid_.range(x0.i, x1.i, y0.i, y1.i));
  }
  HeightRange range{INFINITY, -INFINITY};
  for (int j = y0.i; j <= y1.i; ++j) {
    for (int i = x0.i; i <= x1.i; ++i) {
      const Vec2 from(i == x0.i ? x0.t : 0, j == y0.i ? y0.t : 0);
      const Vec2 to(i == x1.i ? x1.t : 1, j == y1.i ? y1.t : 1);
      range = joined(range, cell_range(i, j, from, to));
    }
  }
  return with_rounding(range);
}

}  // namespace grouser::internal
