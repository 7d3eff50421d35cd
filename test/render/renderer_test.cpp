#include "render/renderer.h"

#include <gtest/gtest.h>
#include <png.h>

#include <cmath>
#include <numbers>

#include "core/parallel.h"
#include "geometry/primitives.h"
#include "support/temporary_folder.h"

namespace grouser::internal {
namespace {

RenderMesh red_sphere() {
  return {.mesh = std::make_shared<TriMesh>(sphere_mesh(1, 30)), .color = Vec3(0.9, 0.1, 0.1)};
}

bool is_red(const std::uint8_t* pixel) {
  return pixel[0] > 2 * pixel[1] && pixel[0] > 2 * pixel[2];
}

TEST(Renderer, SphereCoversTheDiscItShould) {
  const Camera camera = look_at(Vec3(0, -5, 0), Vec3::Zero());
  const Image image = render({red_sphere()}, camera, {.width = 400, .height = 300, .samples = 1});
  int red = 0;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) red += is_red(image.pixel(x, y)) ? 1 : 0;
  }
  // The cone that touches the sphere has half angle asin(1/5); it cuts the picture in a circle.
  const double focal = 200 / std::tan(0.5 * camera.field_of_view);
  const double radius = focal * std::tan(std::asin(0.2));
  EXPECT_NEAR(red / (std::numbers::pi * radius * radius), 1, 0.01);  // measured 2e-7
  EXPECT_TRUE(is_red(image.pixel(200, 150)));
  EXPECT_FALSE(is_red(image.pixel(5, 5)));
}

TEST(Renderer, NearerThingsHideFartherOnes) {
  RenderMesh blue = red_sphere();
  blue.color = Vec3(0.1, 0.1, 0.9);
  blue.X_WM.p = Vec3(0, 3, 0);
  const Camera camera = look_at(Vec3(0, -5, 0), Vec3::Zero());
  for (const auto& meshes : {std::vector{red_sphere(), blue}, std::vector{blue, red_sphere()}}) {
    const Image image = render(meshes, camera, {.width = 100, .height = 80});
    EXPECT_TRUE(is_red(image.pixel(50, 40)));
  }
}

TEST(Renderer, PictureHasUpUpAndRightRight) {
  RenderMesh ball = red_sphere();
  ball.X_WM.p = Vec3(1.2, 0, 0.8);  // seen from -y: x to the right, z up
  const Image image =
      render({ball}, look_at(Vec3(0, -12, 0), Vec3::Zero()), {.width = 200, .height = 200});
  double sum_x = 0, sum_y = 0, count = 0;
  for (int y = 0; y < 200; ++y) {
    for (int x = 0; x < 200; ++x) {
      if (!is_red(image.pixel(x, y))) continue;
      sum_x += x;
      sum_y += y;
      ++count;
    }
  }
  EXPECT_GT(sum_x / count, 110);
  EXPECT_LT(sum_y / count, 95);
}

TEST(Renderer, GroundReachesUnderAndBehindTheCamera) {
  TriMesh plane{{{-100, -100, 0}, {100, -100, 0}, {100, 100, 0}, {-100, 100, 0}},
                {{0, 1, 2}, {0, 2, 3}}};
  const RenderMesh ground{.mesh = std::make_shared<TriMesh>(plane), .color = Vec3(0.9, 0.1, 0.1)};
  const Image image =
      render({ground}, look_at(Vec3(0, 0, 1), Vec3(10, 0, 1)), {.width = 100, .height = 100});
  for (int x = 0; x < 100; x += 9) {
    EXPECT_TRUE(is_red(image.pixel(x, 99)));
    EXPECT_TRUE(is_red(image.pixel(x, 60)));
    EXPECT_FALSE(is_red(image.pixel(x, 40)));
  }
}

TEST(Renderer, ShadowFallsAwayFromTheSun) {
  TriMesh plane{{{-9, -9, 0}, {9, -9, 0}, {9, 9, 0}, {-9, 9, 0}}, {{0, 1, 2}, {0, 2, 3}}};
  RenderMesh ball = red_sphere();
  ball.X_WM.p = Vec3(0, 0, 3);
  const std::vector<RenderMesh> meshes = {
      {.mesh = std::make_shared<TriMesh>(plane), .color = Vec3(0.8, 0.8, 0.8)}, ball};
  // Sun in +x at 45 degrees: the shadow's centre is at x = -3. Seen from straight above, x is right.
  const Image image = render(meshes, look_at(Vec3(0, 0, 30), Vec3::Zero(), Vec3::UnitY()),
                             {.width = 300, .height = 300, .sun = Vec3(1, 0, 1)});
  const double focal = 150 / std::tan(std::numbers::pi / 10);
  const auto column = [&](double x) { return static_cast<int>(150 + focal * x / 30); };
  EXPECT_LT(image.pixel(column(-3), 150)[1], 0.75 * image.pixel(column(-6), 150)[1]);
  EXPECT_GT(image.pixel(column(4), 150)[1], 0.95 * image.pixel(column(-6), 150)[1]);
}

TEST(Renderer, SameBytesForAnyNumberOfThreads) {
  const Camera camera = look_at(Vec3(2, -5, 1), Vec3::Zero());
  const int before = thread_count();
  std::vector<Image> images;
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    images.push_back(render({red_sphere()}, camera, {.width = 160, .height = 100}));
  }
  set_thread_count(before);
  EXPECT_EQ(images[0].rgb, images[1].rgb);
  EXPECT_EQ(images[0].rgb, images[2].rgb);
}

TEST(Renderer, NothingToDrawIsSky) {
  const Image image = render({}, look_at(Vec3(0, 0, 1), Vec3(1, 0, 1)), {.width = 8, .height = 8});
  EXPECT_GT(image.pixel(4, 4)[0], 100);
}

TEST(Camera, FramedBoxIsWholeAndLarge) {
  const Aabb box{Vec3(-1, -2, 0), Vec3(3, 2, 1)};
  const double aspect = 1.5;
  const Camera camera = frame_box(box, Vec3(-1, 2, -0.7), aspect);
  const double tan_x = std::tan(0.5 * camera.field_of_view);
  double largest = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p((corner & 1) != 0 ? 3 : -1, (corner & 2) != 0 ? 2 : -2, (corner & 4) != 0 ? 1 : 0);
    const Vec3 p_C = camera.X_WC.inverse() * p;
    ASSERT_GT(p_C.z(), 0);
    const double x = std::abs(p_C.x() / p_C.z()) / tan_x;
    const double y = std::abs(p_C.y() / p_C.z()) / tan_x * aspect;
    largest = std::max({largest, x, y});
  }
  EXPECT_LT(largest, 1);
  EXPECT_GT(largest, 0.9);
}

using ImageTest = TemporaryFolderTest;

TEST_F(ImageTest, PngReadsBackAsItWas) {
  Image image(7, 5);
  for (std::size_t i = 0; i < image.rgb.size(); ++i) {
    image.rgb[i] = static_cast<std::uint8_t>(37 * i);
  }
  write_png(folder_ / "a.png", image);
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  ASSERT_TRUE(png_image_begin_read_from_file(&png, (folder_ / "a.png").c_str()));
  png.format = PNG_FORMAT_RGB;
  EXPECT_EQ(png.width, 7u);
  EXPECT_EQ(png.height, 5u);
  std::vector<std::uint8_t> bytes(PNG_IMAGE_SIZE(png));
  ASSERT_TRUE(png_image_finish_read(&png, nullptr, bytes.data(), 0, nullptr));
  EXPECT_EQ(bytes, image.rgb);
}

}  // namespace
}  // namespace grouser::internal
