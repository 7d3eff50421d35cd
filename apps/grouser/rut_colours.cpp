#include "rut_colours.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace grouser::internal {
namespace {

const Vec3 kShallow(0.62, 0.80, 0.90), kDeep(0.07, 0.16, 0.62);
const Vec3 kLow(0.97, 0.66, 0.47), kHigh(0.76, 0.05, 0.10);
const Vec3 kInk(0.16, 0.15, 0.14);

constexpr int kLetterWidth = 5, kLetterHeight = 7, kDot = 2;  // [px]

struct Letter {
  char name;
  std::array<unsigned char, kLetterHeight> rows;  // the highest of five bits is the leftmost dot
};

// What lengths in millimetres are written with.
constexpr std::array<Letter, 14> kLetters = {{{'0', {14, 17, 19, 21, 25, 17, 14}},
                                              {'1', {4, 12, 4, 4, 4, 4, 14}},
                                              {'2', {14, 17, 1, 2, 4, 8, 31}},
                                              {'3', {31, 2, 4, 2, 1, 17, 14}},
                                              {'4', {2, 6, 10, 18, 31, 2, 2}},
                                              {'5', {31, 16, 30, 1, 1, 17, 14}},
                                              {'6', {6, 8, 16, 30, 17, 17, 14}},
                                              {'7', {31, 1, 2, 4, 8, 8, 8}},
                                              {'8', {14, 17, 17, 14, 17, 17, 14}},
                                              {'9', {14, 17, 17, 15, 1, 2, 12}},
                                              {'-', {0, 0, 0, 31, 0, 0, 0}},
                                              {'+', {0, 4, 4, 31, 4, 4, 0}},
                                              {'.', {0, 0, 0, 0, 0, 12, 12}},
                                              {'m', {0, 0, 26, 21, 21, 21, 21}}}};

Vec3 mix(const Vec3& a, const Vec3& b, double t) { return (1 - t) * a + t * b; }

void put(Image& image, int x, int y, const Vec3& colour) {
  if (x < 0 || y < 0 || x >= image.width || y >= image.height) return;
  for (Eigen::Index k = 0; k < 3; ++k) {
    image.pixel(x, y)[k] = static_cast<std::uint8_t>(std::lround(255 * colour[k]));
  }
}

int text_width(const std::string& text) {
  return static_cast<int>(text.size()) * (kLetterWidth + 1) * kDot - kDot;
}

void draw_text(const std::string& text, int left, int top, Image& image) {
  for (const char c : text) {
    const auto letter = std::ranges::find(kLetters, c, &Letter::name);
    for (int y = 0; letter != kLetters.end() && y < kDot * kLetterHeight; ++y) {
      const unsigned row = letter->rows[static_cast<std::size_t>(y / kDot)];
      for (int x = 0; x < kDot * kLetterWidth; ++x) {
        const int bit = kLetterWidth - 1 - x / kDot;
        if ((row >> bit & 1U) != 0) put(image, left + x, top + y, kInk);
      }
    }
    left += (kLetterWidth + 1) * kDot;
  }
}

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
  const int letters = kDot * kLetterHeight;
  if (image.width < kWidth + 2 * kMargin || image.height < 4 * (kHeight + kGap + letters)) return;
  const int top = image.height - kMargin - letters - kGap - kHeight;
  // A pale plate, for the text to be read on any ground.
  for (int y = top - 12; y < image.height - kMargin + 12; ++y) {
    for (int x = kMargin - 12; x < kMargin + kWidth + 12; ++x) {
      const std::uint8_t* p = image.pixel(x, y);
      put(image, x, y, mix(Vec3(p[0], p[1], p[2]) / 255, Vec3(0.95, 0.94, 0.92), 0.8));
    }
  }
  const Vec3 ground = Vec3(0.70, 0.55, 0.43);
  for (int x = 0; x < kWidth; ++x) {
    const double place = 2 * (x + 0.5) / kWidth - 1;
    const double change = place < 0 ? place * range.sunk : place * range.heaped;
    const Vec3 colour = rut_colour(change, range, ground);
    for (int y = 0; y < kHeight; ++y) put(image, kMargin + x, top + y, colour);
  }
  const int text_top = top + kHeight + kGap;
  const std::string heaped = label('+', range.heaped);
  draw_text(label('-', range.sunk), kMargin, text_top, image);
  draw_text("0", kMargin + (kWidth - text_width("0")) / 2, text_top, image);
  draw_text(heaped, kMargin + kWidth - text_width(heaped), text_top, image);
}

}  // namespace grouser::internal
