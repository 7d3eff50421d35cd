#include "render/terrain_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/error.h"
#include "render/draw_text.h"
#include "terrain/flat_field.h"
#include "terrain/profile_field.h"

namespace grouser::internal {
namespace {

const Rect kArea{{-4, -2}, {4, 2}};

/// Rises by 1 m over the 8 m along x.
ProfileField ramp() { return ProfileField({.points = {{-4, 0}, {4, 1}}, .domain = kArea}); }

bool is_colour(const Image& image, int x, int y, int red, int green, int blue, int tolerance) {
  const std::uint8_t* p = image.pixel(x, y);
  return std::abs(p[0] - red) <= tolerance && std::abs(p[1] - green) <= tolerance &&
         std::abs(p[2] - blue) <= tolerance;
}

TEST(TerrainMap, RangesOfARamp) {
  const MapData data = map_data(ramp(), {.size = 400});
  EXPECT_EQ(data.grid.nx, 400);
  EXPECT_EQ(data.grid.ny, 200);
  const double half = 0.02 / 2 / 8;  // heights are those of the middles of pixels of 0.02 m
  EXPECT_NEAR(data.height.min, half, 1e-12);
  EXPECT_NEAR(data.height.max, 1 - half, 1e-12);
  EXPECT_NEAR(data.height.mean, 0.5, 1e-9);
  EXPECT_NEAR(data.slope.min, std::atan(1.0 / 8), 1e-9);
  EXPECT_NEAR(data.slope.max, std::atan(1.0 / 8), 1e-9);
  EXPECT_NEAR(data.height.max_at.x(), 3.99, 1e-9);
  EXPECT_DOUBLE_EQ(data.interval, 0.1);  // 12 of them would be 0.083 m apart
  EXPECT_EQ(map_data(ramp(), {.size = 400, .contour_interval = 0.25}).interval, 0.25);
}

TEST(TerrainMap, LevelGroundHasNoContours) {
  const MapData data = map_data(FlatField({.domain = kArea}), {.size = 200});
  EXPECT_EQ(data.interval, 0);
  EXPECT_EQ(data.slope.max, 0);
  EXPECT_GT(draw_map(data, {.title = "flat", .size = 200}).width, 200);
}

TEST(TerrainMap, ShowsMarksWhereTheyAre) {
  MapOptions options{.size = 400};
  const MapData data = map_data(ramp(), options);
  const Image plain = draw_map(data, options);
  options.marks = {{.name = "start", .place = {0, 0}}};
  const Image marked = draw_map(data, options);
  // The first and last changed columns and rows surround the place: the middle of the map.
  int low = marked.width, high = -1;
  for (int x = 0; x < marked.width; ++x) {
    if (!std::equal(marked.pixel(x, 164), marked.pixel(x, 164) + 3, plain.pixel(x, 164))) {
      low = std::min(low, x);
      high = std::max(high, x);
    }
  }
  EXPECT_NEAR((low + high) / 2.0, 92 + 200, 1.5);  // left margin, half of the map
  options.marks.clear();
  options.rocks = {{.centre = {1, 0}, .radius = 0.2}};
  const Image rocky = draw_map(data, options);
  EXPECT_TRUE(is_colour(rocky, 92 + 250, 164, 84, 76, 74, 3));
}

TEST(TerrainMap, EndlessTerrainIsRefused) { EXPECT_THROW(map_data(FlatField(), {}), Error); }

TEST(DrawText, LettersHaveTheirSize) {
  Image image(100, 20);
  draw_text("I", 2, 3, 2, Vec3(1, 1, 1), image);
  EXPECT_EQ(text_width("I", 2), 10);
  EXPECT_EQ(text_width("abc", 1), 17);
  EXPECT_EQ(text_height(2), 14);
  int lit = 0, left = 100, right = 0;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      if (image.pixel(x, y)[0] == 0) continue;
      ++lit;
      left = std::min(left, x);
      right = std::max(right, x);
    }
  }
  EXPECT_EQ(lit, 4 * 11);  // 3 dots at the top and at the bottom, 5 between, of 4 pixels each
  EXPECT_EQ(left, 4);
  EXPECT_EQ(right, 9);
  draw_text("outside", -20, -3, 2, Vec3(1, 1, 1), image);  // is cut off
}

}  // namespace
}  // namespace grouser::internal
