#include "rut_colours.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "render/draw_text.h"

namespace grouser::internal {
namespace {

const Vec3 kShallow(0.62, 0.80, 0.90), kDeep(0.07, 0.16, 0.62);
const Vec3 kLow(0.97, 0.66, 0.47), kHigh(0.76, 0.05, 0.10);
const Vec3 kInk(0.16, 0.15, 0.14);

constexpr int kDot = 2;  // of letters [px]

Vec3 mix(const Vec3& a, const Vec3& b, double t) { return (1 - t) * a + t * b; }

/// Some three digits: "-63 mm", "+1.2 mm".
std::string label(char sign, double metres) {
  return fmt::format("{}{:.{}f} mm", sign, 1e3 * metres, metres < 0.0095 ? 1 : 0);
}

}  // namespace

RutRange rut_range(const TiledGrid<double>& change) {
  RutRange range;
  change.for_each_tile([&](int, int, const double* tile) {
    const auto [least, most] = std::minmax_element(tile, tile + TiledGrid<double>::kTileSize);
    range.sunk = std::max(range.sunk, -*least);
    range.heaped = std::max(range.heaped, *most);
  });
  return range;
}

Vec3 rut_colour(double change, const RutRange& range, const Vec3& ground) {
  const double most = change < 0 ? range.sunk : range.heaped;
  if (change == 0 || most <= 0) return ground;
  // Most ruts are shallow beside the deepest place: they get more than their share of the colours.
  const double t = std::pow(std::min(1.0, std::abs(change) / most), 0.6);
  const Vec3 ramp = change < 0 ? mix(kShallow, kDeep, t) : mix(kLow, kHigh, t);
  constexpr double kFaint = 0.2;  // part of the colours over which the ground's own colour fades
  return mix(ground, ramp, 0.9 * std::min(1.0, t / kFaint));
}

void draw_rut_scale(const RutRange& range, Image& image) {
  constexpr int kMargin = 24, kWidth = 320, kHeight = 14, kGap = 6;  // [px]
  const int letters = text_height(kDot);
  if (image.width < kWidth + 2 * kMargin || image.height < 4 * (kHeight + kGap + letters)) return;
  const int top = image.height - kMargin - letters - kGap - kHeight;
  // A pale plate, for the text to be read on any ground.
  for (int y = top - 12; y < image.height - kMargin + 12; ++y) {
    for (int x = kMargin - 12; x < kMargin + kWidth + 12; ++x) {
      const std::uint8_t* p = image.pixel(x, y);
      put_pixel(image, x, y, mix(Vec3(p[0], p[1], p[2]) / 255, Vec3(0.95, 0.94, 0.92), 0.8));
    }
  }
  const Vec3 ground = Vec3(0.70, 0.55, 0.43);
  for (int x = 0; x < kWidth; ++x) {
    const double place = 2 * (x + 0.5) / kWidth - 1;
    const double change = place < 0 ? place * range.sunk : place * range.heaped;
    const Vec3 colour = rut_colour(change, range, ground);
    for (int y = 0; y < kHeight; ++y) put_pixel(image, kMargin + x, top + y, colour);
  }
  const int text_top = top + kHeight + kGap;
  const std::string heaped = label('+', range.heaped);
  draw_text(label('-', range.sunk), kMargin, text_top, kDot, kInk, image);
  draw_text("0", kMargin + (kWidth - text_width("0", kDot)) / 2, text_top, kDot, kInk, image);
  draw_text(heaped, kMargin + kWidth - text_width(heaped, kDot), text_top, kDot, kInk, image);
}

}  // namespace grouser::internal
