#include "render/terrain_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.h"
#include "math/angle.h"
#include "render/draw_text.h"
#include "render/figure_axis.h"

namespace grouser::internal {
namespace {

const Vec3 kPaper(1, 1, 1), kInk(0.13, 0.13, 0.15), kRoute(0.05, 0.25, 0.75),
    kGrey(0.45, 0.45, 0.47);
constexpr int kDot = 2, kSmallDot = 2;                                        // of letters [px]
constexpr int kMapLeft = 92, kMapTop = 64, kMapRight = 250, kMapBottom = 70;  // margins [px]
constexpr int kFewestPixels = 330;  // of the area's height, for the legend to fit
constexpr double kShade = 0.55;     // share of a colour that is shaded

using Ramp = std::array<Vec3, 6>;
const Ramp kHeightRamp = {Vec3(0.23, 0.16, 0.30), Vec3(0.43, 0.24, 0.30), Vec3(0.66, 0.37, 0.25),
                          Vec3(0.83, 0.56, 0.31), Vec3(0.93, 0.77, 0.51), Vec3(0.99, 0.95, 0.83)};
const Ramp kSlopeRamp = {Vec3(0.16, 0.45, 0.30), Vec3(0.52, 0.70, 0.33), Vec3(0.95, 0.87, 0.44),
                         Vec3(0.95, 0.58, 0.25), Vec3(0.80, 0.22, 0.18), Vec3(0.42, 0.07, 0.30)};

Vec3 colour_at(const Ramp& ramp, double t) {
  const double place = std::clamp(t, 0.0, 1.0) * static_cast<double>(ramp.size() - 1);
  const std::size_t k = std::min(ramp.size() - 2, static_cast<std::size_t>(place));
  const double part = place - static_cast<double>(k);
  return (1 - part) * ramp[k] + part * ramp[k + 1];
}

/// 1, 2 or 5 times a power of ten, not below `value`, > 0.
double round_up(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= value * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

/// Of a tick, which may be -0.
std::string number(double value) { return fmt::format("{:.6g}", value == 0 ? 0 : value); }

std::size_t node_at(const GridSpec& grid, int i, int j) {
  return grid.index(std::clamp(i, 0, grid.nx - 1), std::clamp(j, 0, grid.ny - 1));
}

Vec2 gradient_at(const MapData& data, int i, int j) {
  const GridSpec& grid = data.grid;
  const int i0 = std::max(i - 1, 0), i1 = std::min(i + 1, grid.nx - 1);
  const int j0 = std::max(j - 1, 0), j1 = std::min(j + 1, grid.ny - 1);
  const auto h = [&](int a, int b) { return data.heights[grid.index(a, b)]; };
  return {i1 > i0 ? (h(i1, j) - h(i0, j)) / (grid.spacing * (i1 - i0)) : 0,
          j1 > j0 ? (h(i, j1) - h(i, j0)) / (grid.spacing * (j1 - j0)) : 0};
}

MapRange range_of(const std::vector<double>& values, const GridSpec& grid) {
  const auto [low, high] = std::ranges::minmax_element(values);
  const auto place = [&](auto where) {
    const auto k = static_cast<int>(where - values.begin());
    return grid.node(k % grid.nx, k / grid.nx);
  };
  double sum = 0;
  for (const double value : values) sum += value;
  return {.min = *low,
          .max = *high,
          .mean = sum / static_cast<double>(values.size()),
          .min_at = place(low),
          .max_at = place(high)};
}

/// Draws a map on an image: pixels from the upper left, metres from the terrain's lower left corner.
class MapDrawer {
 public:
  MapDrawer(const MapData& data, const MapOptions& options)
      : data_(data),
        options_(options),
        image_(kMapLeft + std::max(data.grid.nx, 360) + kMapRight,
               kMapTop + std::max(data.grid.ny, kFewestPixels) + kMapBottom) {
    for (int y = 0; y < image_.height; ++y) {
      for (int x = 0; x < image_.width; ++x) put_pixel(image_, x, y, kPaper);
    }
  }

  Image draw() {
    draw_ground();
    draw_contours();
    draw_rocks();
    draw_axes();
    draw_marks();
    draw_legend();
    draw_text(options_.title, kMapLeft, 16, kDot, kInk, image_);
    return std::move(image_);
  }

 private:
  bool shows_slope() const { return options_.quantity == MapQuantity::slope; }
  const Ramp& ramp() const { return shows_slope() ? kSlopeRamp : kHeightRamp; }
  double low() const { return shows_slope() ? 0 : data_.height.min; }
  double high() const {
    const double top = shows_slope() ? data_.slope.max : data_.height.max;
    return top > low() ? top : low() + 1e-9;
  }
  int column(double x) const {
    return kMapLeft +
           static_cast<int>(std::lround((x - data_.grid.origin.x()) / data_.grid.spacing));
  }
  int row(double y) const {
    return kMapTop + data_.grid.ny - 1 -
           static_cast<int>(std::lround((y - data_.grid.origin.y()) / data_.grid.spacing));
  }
  void put(int i, int j, const Vec3& colour) {  // at a node
    put_pixel(image_, kMapLeft + i, kMapTop + data_.grid.ny - 1 - j, colour);
  }

  void draw_ground() {
    // Relief is exaggerated such that gentle ground shows it, too.
    double square = 0;
    for (const double slope : data_.slopes) square += std::tan(slope) * std::tan(slope);
    const double rms = std::sqrt(square / static_cast<double>(data_.slopes.size()));
    const double stretch = rms > 0 ? std::clamp(0.35 / rms, 1.0, 10.0) : 1;
    const Vec3 sun = Vec3(-1, 1, 1.4).normalized();  // from the upper left, as on maps
    for (int j = 0; j < data_.grid.ny; ++j) {
      for (int i = 0; i < data_.grid.nx; ++i) {
        const std::size_t node = data_.grid.index(i, j);
        const double value = shows_slope() ? data_.slopes[node] : data_.heights[node];
        const Vec2 g = stretch * gradient_at(data_, i, j);
        const double light = std::max(0.0, Vec3(-g.x(), -g.y(), 1).normalized().dot(sun)) / sun.z();
        const double shade = 1 - kShade + kShade * light;
        const Vec3 colour = colour_at(ramp(), (value - low()) / (high() - low()));
        put(i, j, (shade * colour).cwiseMin(1.0));
      }
    }
  }

  int level_of(int i, int j) const {
    return static_cast<int>(std::floor(data_.heights[node_at(data_.grid, i, j)] / data_.interval));
  }

  /// Where a level lies between two neighbours; every fifth is darker.
  void draw_contours() {
    if (data_.interval <= 0) return;
    for (int j = 0; j + 1 < data_.grid.ny; ++j) {
      for (int i = 0; i + 1 < data_.grid.nx; ++i) {
        const int here = level_of(i, j);
        const int above = std::max({here, level_of(i + 1, j), level_of(i, j + 1)});
        if (above == std::min({here, level_of(i + 1, j), level_of(i, j + 1)})) continue;
        const bool is_main = above % 5 == 0;
        blend(kMapLeft + i, kMapTop + data_.grid.ny - 1 - j, kInk, is_main ? 0.75 : 0.3);
      }
    }
  }

  void blend(int x, int y, const Vec3& colour, double part) {
    if (x < 0 || y < 0 || x >= image_.width || y >= image_.height) return;
    const std::uint8_t* p = image_.pixel(x, y);
    put_pixel(image_, x, y, (1 - part) * Vec3(p[0], p[1], p[2]) / 255 + part * colour);
  }

  void draw_rocks() {
    for (const MapDisc& rock : options_.rocks) {
      const int x = column(rock.centre.x()), y = row(rock.centre.y());
      disc(x, y, std::max(1.0, rock.radius / data_.grid.spacing), Vec3(0.33, 0.30, 0.29));
    }
  }

  void disc(int cx, int cy, double radius, const Vec3& colour) {
    const int reach = static_cast<int>(std::ceil(radius));
    for (int y = -reach; y <= reach; ++y) {
      for (int x = -reach; x <= reach; ++x) {
        if (x * x + y * y <= radius * radius) put_pixel(image_, cx + x, cy + y, colour);
      }
    }
  }

  void line(double x0, double y0, double x1, double y1, double width, const Vec3& colour) {
    const int steps =
        static_cast<int>(std::ceil(std::max(std::abs(x1 - x0), std::abs(y1 - y0)))) + 1;
    for (int k = 0; k <= steps; ++k) {
      const double t = static_cast<double>(k) / steps;
      disc(static_cast<int>(std::lround(x0 + t * (x1 - x0))),
           static_cast<int>(std::lround(y0 + t * (y1 - y0))), width / 2, colour);
    }
  }

  void draw_axes() {
    const Rect area = data_.grid.rect();
    const int x0 = kMapLeft - 1, x1 = kMapLeft + data_.grid.nx, y0 = kMapTop - 1,
              y1 = kMapTop + data_.grid.ny;
    line(x0, y0, x1, y0, 1, kInk);
    line(x0, y1, x1, y1, 1, kInk);
    line(x0, y0, x0, y1, 1, kInk);
    line(x1, y0, x1, y1, 1, kInk);
    int free_from = 0;  // labels keep clear of each other
    for (const Tick& tick :
         make_scale({.low = area.lower.x(), .high = area.upper.x()}, 0, 0).ticks) {
      const std::string text = number(tick.value);
      const int x = column(tick.value), left = x - text_width(text, kSmallDot) / 2;
      line(x, y1, x, y1 + 6, 1, kInk);
      if (left < free_from) continue;
      draw_text(text, left, y1 + 11, kSmallDot, kInk, image_);
      free_from = left + text_width(text, kSmallDot) + 8;
    }
    int free_below = image_.height;
    for (const Tick& tick :
         make_scale({.low = area.lower.y(), .high = area.upper.y()}, 0, 0).ticks) {
      const std::string text = number(tick.value);
      const int y = row(tick.value), top = y - text_height(kSmallDot) / 2;
      line(x0 - 6, y, x0, y, 1, kInk);
      if (top + text_height(kSmallDot) > free_below) continue;
      draw_text(text, x0 - 10 - text_width(text, kSmallDot), top, kSmallDot, kInk, image_);
      free_below = top - 4;
    }
    draw_text("x [m]", kMapLeft + data_.grid.nx / 2 - text_width("x [m]", kDot) / 2, y1 + 38, kDot,
              kInk, image_);
    draw_text("y [m]", 14, kMapTop - 24, kDot, kInk, image_);
  }

  void draw_marks() {
    for (std::size_t m = 1; m < options_.marks.size(); ++m) {
      if (!options_.marks[m].follows) continue;
      const Vec2 &a = options_.marks[m - 1].place, &b = options_.marks[m].place;
      line(column(a.x()), row(a.y()), column(b.x()), row(b.y()), 5, kPaper);
      line(column(a.x()), row(a.y()), column(b.x()), row(b.y()), 3, kRoute);
    }
    for (const MapMark& mark : options_.marks) draw_mark(mark);
  }

  void draw_mark(const MapMark& mark) {
    const int x = column(mark.place.x()), y = row(mark.place.y());
    if (mark.has_heading) {
      const Vec2 ahead(std::cos(mark.heading), -std::sin(mark.heading));
      const Vec2 tip = Vec2(x, y) + 26 * ahead, side(-ahead.y(), ahead.x());
      line(x, y, tip.x(), tip.y(), 5, kPaper);
      line(x, y, tip.x(), tip.y(), 3, kRoute);
      for (const double turn : {1.0, -1.0}) {
        const Vec2 barb = tip - 9 * ahead + turn * 6 * side;
        line(tip.x(), tip.y(), barb.x(), barb.y(), 3, kRoute);
      }
    }
    disc(x, y, 7, kPaper);
    disc(x, y, 5, kRoute);
    const int width = text_width(mark.name, kDot), height = text_height(kDot);
    const bool left = x + 14 + width > kMapLeft + data_.grid.nx;
    const int at = left ? x - 12 - width : x + 12, top = y - height - 6;
    for (int v = -3; v < height + 3; ++v) {
      for (int u = -3; u < width + 3; ++u) blend(at + u, top + v, kPaper, 0.8);
    }
    draw_text(mark.name, at, top, kDot, kRoute, image_);
  }

  std::string shown(double value) const {
    return fmt::format("{:.3g}", shows_slope() ? value * kDegPerRad : value);
  }

  void draw_legend() {
    const int left = kMapLeft + std::max(data_.grid.nx, 0) + 26;
    int y = kMapTop;
    draw_text(shows_slope() ? "slope [deg]" : "height [m]", left, y, kDot, kInk, image_);
    y += 26;
    const int bar = 150;
    for (int k = 0; k < bar; ++k) {
      const Vec3 colour = colour_at(ramp(), 1 - (k + 0.5) / bar);
      for (int x = 0; x < 20; ++x) put_pixel(image_, left + x, y + k, colour);
    }
    const double factor = shows_slope() ? kDegPerRad : 1;
    for (const Tick& tick :
         make_scale({.low = factor * low(), .high = factor * high()}, 0, 0).ticks) {
      const double part = (tick.value / factor - low()) / (high() - low());
      const int at = y + static_cast<int>(std::lround((1 - part) * bar));
      line(left + 20, at, left + 25, at, 1, kInk);
      draw_text(number(tick.value), left + 30, at - 7, kSmallDot, kInk, image_);
    }
    y += bar + 22;
    const MapRange& range = shows_slope() ? data_.slope : data_.height;
    note("max " + shown(range.max) + " at", left, y);
    note(place_text(range.max_at), left, y);
    note("min " + shown(range.min) + " at", left, y);
    note(place_text(range.min_at), left, y);
    note("mean " + shown(range.mean), left, y);
    if (data_.interval > 0) {
      y += 6;
      note(fmt::format("contours {:.4g} m", data_.interval), left, y);
    }
    draw_scale_bar();
    draw_north();
  }

  static std::string place_text(const Vec2& place) {
    return fmt::format("  {:.3g}, {:.3g}", place.x(), place.y());
  }

  void note(const std::string& text, int left, int& y) {
    draw_text(text, left, y, kSmallDot, kInk, image_);
    y += text_height(kSmallDot) + 6;
  }

  /// Below the map, at its right.
  void draw_scale_bar() {
    const double width = data_.grid.spacing * data_.grid.nx;
    const double length = round_up(width / 8);
    const int pixels = static_cast<int>(std::lround(length / data_.grid.spacing));
    const int right = image_.width - 30, y = image_.height - 26;
    line(right - pixels, y, right, y, 3, kInk);
    line(right - pixels, y - 6, right - pixels, y + 6, 1, kInk);
    line(right, y - 6, right, y + 6, 1, kInk);
    const std::string text = fmt::format("{:g} m", length);
    draw_text(text, right - pixels / 2 - text_width(text, kDot) / 2, y - 24, kDot, kInk, image_);
  }

  void draw_north() {
    const int x = image_.width - 44, tip = 18;
    line(x, tip, x, tip + 34, 3, kInk);
    line(x, tip, x - 7, tip + 12, 3, kInk);
    line(x, tip, x + 7, tip + 12, 3, kInk);
    draw_text("N", x - 28, tip + 10, kDot, kInk, image_);
  }

  const MapData& data_;
  const MapOptions& options_;
  Image image_;
};

}  // namespace

MapData map_data(const HeightField& terrain, const MapOptions& options) {
  const Rect domain = terrain.domain();
  const Vec2 size = domain.size();
  if (!size.allFinite() || !(size.minCoeff() > 0)) {
    throw Error(ErrorKind::input, Issue{.message = "a terrain without a finite size has no map"});
  }
  MapData data;
  data.grid.spacing = size.maxCoeff() / options.size;
  data.grid.nx = std::max(2, static_cast<int>(std::lround(size.x() / data.grid.spacing)));
  data.grid.ny = std::max(2, static_cast<int>(std::lround(size.y() / data.grid.spacing)));
  data.grid.origin = domain.lower + Vec2::Constant(data.grid.spacing / 2);
  data.heights.resize(data.grid.size());
  terrain.heights(data.grid, data.heights);
  data.slopes.resize(data.grid.size());
  for (int j = 0; j < data.grid.ny; ++j) {
    for (int i = 0; i < data.grid.nx; ++i) {
      data.slopes[data.grid.index(i, j)] = std::atan(gradient_at(data, i, j).norm());
    }
  }
  data.height = range_of(data.heights, data.grid);
  data.slope = range_of(data.slopes, data.grid);
  const double relief = data.height.max - data.height.min;
  constexpr double kContours = 12, kLevel = 1e-9;
  if (relief > kLevel) {
    data.interval =
        options.contour_interval > 0 ? options.contour_interval : round_up(relief / kContours);
  }
  return data;
}

Image draw_map(const MapData& data, const MapOptions& options) {
  return MapDrawer(data, options).draw();
}

}  // namespace grouser::internal
