#include "terrain/elevation_map.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/text.h"

namespace grouser::internal {
namespace {

Rect checked_domain(const HeightField* base) {
  if (!base)
    throw Error(ErrorKind::input, Issue{.message = "a map has no ground", .field = "base"});
  const Rect domain = base->domain();
  if (domain.lower.allFinite() && domain.upper.allFinite()) return domain;
  throw Error(ErrorKind::input, {.message = "the ground under a map goes on for ever",
                                 .field = "base",
                                 .legal = "a height field with a finite domain"});
}

// Nodes along a side; at least two, so that there is a cell.
double node_count(double size, double spacing) {
  return std::max(std::ceil(size / spacing), 1.0) + 1;
}

GridSpec change_grid(const Rect& domain, double spacing) {
  if (!(spacing > 0) || !std::isfinite(spacing)) {
    throw Error(ErrorKind::input, {.message = "a map cannot have this",
                                   .field = "spacing",
                                   .value = format_number(spacing),
                                   .legal = "> 0 and finite [m]"});
  }
  constexpr double kMaxNodes = 4e6;  // along a side; the empty directory is then 30 MB
  const double nx = node_count(domain.size().x(), spacing);
  const double ny = node_count(domain.size().y(), spacing);
  if (nx <= kMaxNodes && ny <= kMaxNodes) {
    return {domain.lower, spacing, static_cast<int>(nx), static_cast<int>(ny)};
  }
  throw Error(ErrorKind::input,
              {.message = fmt::format("a map of {:g} x {:g} m has too many nodes",
                                      domain.size().x(), domain.size().y()),
               .field = "spacing",
               .value = format_number(spacing),
               .legal = fmt::format(">= {:g} [m]", domain.size().maxCoeff() / kMaxNodes)});
}

// The cell of a coordinate within the domain, and the place in it.
struct Place {
  int i;
  double t;
};

Place place(double metres, double nodes_per_metre, int count) {
  const double u = metres * nodes_per_metre;
  const int i = std::min(static_cast<int>(u), count - 2);
  return {i, std::min(u - i, 1.0)};
}

}  // namespace

ElevationMap::ElevationMap(std::shared_ptr<const HeightField> base,
                           const ElevationMapOptions& options)
    : base_(std::move(base)), interpolation_(options.interpolation) {
  domain_ = checked_domain(base_.get());
  grid_ = change_grid(domain_, options.spacing);
  nodes_per_metre_ = 1 / grid_.spacing;
  changes_ = TiledGrid<double>(grid_.nx, grid_.ny);
  bounds_ = ChangeBounds(grid_.nx, grid_.ny);
}

SurfacePoint ElevationMap::at(double x, double y) const {
  SurfacePoint point = base_->at(x, y);
  if (is_changed_ && !std::isnan(x) && !std::isnan(y)) add_change(x, y, point);
  return point;
}

void ElevationMap::add_change(double x, double y, SurfacePoint& point) const {
  constexpr int kSide = TiledGrid<double>::kSide;
  const Rect& d = domain_;
  const double inside_x = std::clamp(x, d.lower.x(), d.upper.x());
  const double inside_y = std::clamp(y, d.lower.y(), d.upper.y());
  const Place px = place(inside_x - grid_.origin.x(), nodes_per_metre_, grid_.nx);
  const Place py = place(inside_y - grid_.origin.y(), nodes_per_metre_, grid_.ny);
  const bool cubic = interpolation_ == Interpolation::bicubic;
  // Nodes first ... last along both axes enter.
  const int before = cubic ? 1 : 0, after = cubic ? 2 : 1;
  const int i0 = px.i - before, i1 = px.i + after, j0 = py.i - before, j1 = py.i + after;
  const bool inside = i0 >= 0 && i1 < grid_.nx && j0 >= 0 && j1 < grid_.ny;

  SurfacePoint change;
  if (inside && i0 / kSide == i1 / kSide && j0 / kSide == j1 / kSide) {  // within one tile
    const double* tile = changes_.tile_at(i0 / kSide, j0 / kSide);
    if (!tile) return;
    const double* first = tile + TiledGrid<double>::entry(i0, j0);
    change = cubic ? bicubic(PatchView{first, kSide}, px.t, py.t)
                   : bilinear(first, first + kSide, px.t, py.t);
  } else if (cubic) {
    Patch patch;
    const auto node = [&](int i, int j) { return changes_.get(i, j); };
    gather_patch(px.i, py.i, grid_.nx, grid_.ny, node, patch);
    change = bicubic(patch, px.t, py.t);
  } else {
    const double lower[2] = {changes_.get(i0, j0), changes_.get(i1, j0)};
    const double upper[2] = {changes_.get(i0, j1), changes_.get(i1, j1)};
    change = bilinear(lower, upper, px.t, py.t);
  }
  point.height += change.height;
  point.gradient += continued_gradient(domain_, x, y, change.gradient * nodes_per_metre_);
}

void ElevationMap::set_change(int i, int j, double value) {
  assert(std::abs(value) <= kMaxChange);
  is_changed_ = true;
  changes_.set(i, j, value);
  bounds_.widen(i, j, value);
}

HeightRange ElevationMap::change_range(const Rect& rect) const {
  const Vec2 lower = domain_.clamped(rect.lower) - grid_.origin;
  const Vec2 upper = domain_.clamped(rect.upper) - grid_.origin;
  const int margin = interpolation_ == Interpolation::bicubic ? 1 : 0;
  const auto first = [&](double metres, int count) {
    return std::max(place(metres, nodes_per_metre_, count).i - margin, 0);
  };
  const auto last = [&](double metres, int count) {
    return std::min(place(metres, nodes_per_metre_, count).i + 1 + margin, count - 1);
  };
  const int i0 = first(lower.x(), grid_.nx), i1 = last(upper.x(), grid_.nx);
  const int j0 = first(lower.y(), grid_.ny), j1 = last(upper.y(), grid_.ny);
  HeightRange range = bounds_.range(i0, i1, j0, j1);
  constexpr int kFewNodes = 8;  // along a side, for which it pays to look at them all
  if ((range.min < 0 || range.max > 0) && i1 - i0 < kFewNodes && j1 - j0 < kFewNodes) {
    range = {INFINITY, -INFINITY};
    for (int j = j0; j <= j1; ++j) {
      for (int i = i0; i <= i1; ++i) {
        const double value = changes_.get(i, j);
        range = {std::min(range.min, value), std::max(range.max, value)};
      }
    }
  }
  // Negative weights of Catmull and Rom add up to 1/8 at most along an axis: of the span s of the
  // nodes a row exceeds them by s/8 on either side, and the column through the rows by 5/4 s/8
  // more.
  const double overshoot = margin ? 9.0 / 32 * (range.max - range.min) : 0;
  return with_rounding({range.min - overshoot, range.max + overshoot});
}

HeightRange ElevationMap::range(const Rect& rect) const {
  const HeightRange base = base_->range(rect), change = change_range(rect);
  return {base.min + change.min, base.max + change.max};
}

std::size_t ElevationMap::memory_bytes() const {
  return changes_.memory_bytes() + bounds_.memory_bytes();
}

}  // namespace grouser::internal
