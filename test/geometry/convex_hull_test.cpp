#include "geometry/convex_hull.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/rng.h"
#include "geometry/mass_properties.h"
#include "geometry/mesh_check.h"
#include "geometry/primitives.h"
#include "math/rotation.h"
#include "support/random.h"

namespace grouser::internal {
namespace {

std::vector<Vec3> random_cloud(CounterRng& rng, int count, const Vec3& stretch = Vec3::Ones()) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) points.push_back(stretch.cwiseProduct(random_vector(rng)));
  return points;
}

std::vector<Vec3> on_sphere(CounterRng& rng, int count) {
  std::vector<Vec3> points = random_cloud(rng, count);
  for (Vec3& point : points) point.normalize();
  return points;
}

/// How far the points stick out of the planes of the triangles, over the extent: at most rounding.
double worst_outside(const TriMesh& hull, const std::vector<Vec3>& points) {
  double worst = 0;
  for (std::size_t i = 0; i < hull.triangles.size(); ++i) {
    const Vec3 normal = area_vector(hull, i).normalized();
    const Vec3& corner = hull.vertices[hull.triangles[i][0]];
    for (const Vec3& point : points) worst = std::max(worst, normal.dot(point - corner));
  }
  return worst / bounds(hull).size().norm();
}

void expect_hull(const TriMesh& hull, const std::vector<Vec3>& points, double tolerance) {
  const MeshReport report = check_mesh(hull);
  EXPECT_TRUE(report.solid()) << to_text(report);
  EXPECT_EQ(report.unused_vertices, 0U);
  EXPECT_EQ(report.vertices, report.triangles / 2 + 2);  // Euler
  EXPECT_LT(worst_outside(hull, points), tolerance);
}

TEST(ConvexHull, CubeWithPointsInsideAndOnIt) {
  std::vector<Vec3> points = box_mesh({2, 2, 2}, 4).vertices;
  for (int i = 0; i < 20; ++i) points.push_back(Vec3::Constant(0.04 * i));
  const TriMesh hull = convex_hull(points);
  EXPECT_EQ(hull.vertices.size(), 8U);
  EXPECT_EQ(hull.triangles.size(), 12U);
  expect_hull(hull, points, 1e-15);  // measured 0
  EXPECT_EQ(solid_properties(hull).volume, 8);
}

TEST(ConvexHull, RandomCloudsOfAnyShape) {
  CounterRng rng(1);
  for (const int count : {4, 5, 10, 100, 1000}) {
    for (const Vec3& stretch : {Vec3(1, 1, 1), Vec3(1, 1, 1e-3), Vec3(1, 1e-4, 1e-6)}) {
      const std::vector<Vec3> points = random_cloud(rng, count, stretch);
      expect_hull(convex_hull(points), points, 1e-14);  // measured 2e-16
    }
  }
}

TEST(ConvexHull, FarFromTheOriginAndTurned) {
  CounterRng rng(2);
  for (int repeat = 0; repeat < 50; ++repeat) {
    const Pose X{rotation_about(random_vector(rng).normalized(), rng.uniform(0, 3)),
                 1000 * random_vector(rng)};
    const TriMesh mesh = transformed(X, cylinder_mesh(0.25, 0.2, {.segments = 24, .rings = 3}));
    const TriMesh hull = convex_hull(mesh.vertices);
    expect_hull(hull, mesh.vertices, 1e-11);  // measured 1e-13
    EXPECT_NEAR(solid_properties(hull).volume / solid_properties(mesh).volume, 1,
                1e-11);  // measured 2e-12
  }
}

TEST(ConvexHull, ManyRepeatedAndCoplanarPoints) {
  CounterRng rng(3);
  std::vector<Vec3> points;
  for (int i = 0; i < 3000; ++i) {
    points.emplace_back(0.1 * static_cast<double>(rng.index(11)),
                        0.1 * static_cast<double>(rng.index(11)),
                        0.1 * static_cast<double>(rng.index(11)));
  }
  for (const Vec3& corner : box_mesh({1, 1, 1}).vertices)
    points.push_back(corner + Vec3::Constant(0.5));
  const TriMesh hull = convex_hull(points);
  expect_hull(hull, points, 1e-14);                      // measured 0
  EXPECT_NEAR(solid_properties(hull).volume, 1, 1e-14);  // measured 0
}

TEST(ConvexHull, RepeatsToTheBit) {
  CounterRng rng(4);
  const std::vector<Vec3> points = random_cloud(rng, 500);
  const TriMesh once = convex_hull(points, {.max_vertices = 40});
  const TriMesh again = convex_hull(points, {.max_vertices = 40});
  EXPECT_EQ(once.vertices, again.vertices);
  EXPECT_EQ(once.triangles, again.triangles);
}

TEST(ConvexHull, LosesLessVolumeTheMoreVerticesItMayKeep) {
  CounterRng rng(5);
  const std::vector<Vec3> points = on_sphere(rng, 2000);
  const TriMesh full = convex_hull(points);
  ASSERT_EQ(full.vertices.size(), 2000U);
  double last = 0;
  for (const int cap : {4, 8, 16, 32, 64, 128, 256, 1024}) {
    const TriMesh hull = convex_hull(points, {.max_vertices = cap});
    EXPECT_EQ(hull.vertices.size(), static_cast<std::size_t>(cap));
    EXPECT_TRUE(check_mesh(hull).solid());
    EXPECT_LT(worst_outside(full, hull.vertices), 1e-14);  // inside the full one
    const double volume = solid_properties(hull).volume;
    EXPECT_GT(volume, last);
    last = volume;
  }
  // The volume missed by n points spread evenly over a sphere falls as 1/n; 64 points on the best
  // known spread miss 8 %.
  const double v64 = solid_properties(convex_hull(points, {.max_vertices = 64})).volume;
  EXPECT_LT(1 - v64 / solid_properties(full).volume, 0.12);  // measured 0.09
}

TEST(ConvexHull, CapAboveTheNumberChangesNothing) {
  const TriMesh box = box_mesh({1, 2, 3});
  EXPECT_EQ(convex_hull(box.vertices, {.max_vertices = 8}).vertices,
            convex_hull(box.vertices).vertices);
}

std::string refusal(const std::vector<Vec3>& points) {
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  std::string message = "accepted";
  try {
    convex_hull(points);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    message = error.what();
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  return message;
}

TEST(ConvexHull, SaysWhyThereIsNone) {
  using testing::HasSubstr;
  CounterRng rng(6);
  EXPECT_THAT(refusal({}), HasSubstr("at least four points (got 0)"));
  EXPECT_THAT(refusal({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}),
              HasSubstr("at least four points (got 3)"));
  EXPECT_THAT(refusal(std::vector<Vec3>(9, Vec3(1, 2, 3))), HasSubstr("at the same place"));
  std::vector<Vec3> line, plane, bad = random_cloud(rng, 9);
  const Vec3 u = random_vector(rng), v = random_vector(rng), origin = random_vector(rng);
  for (int i = 0; i < 30; ++i) {
    line.push_back(origin + rng.normal() * u);
    plane.push_back(origin + rng.normal() * u + rng.normal() * v);
  }
  EXPECT_THAT(refusal(line), HasSubstr("on one line"));
  EXPECT_THAT(refusal(plane), HasSubstr("in one plane"));
  bad[4].y() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(refusal(bad), HasSubstr("point 4 is not finite"));
}

TEST(ConvexHull, ThinSlabsDownToTheLimit) {
  CounterRng rng(7);
  for (const double thickness : {1e-3, 1e-6, 1e-8}) {
    const std::vector<Vec3> points = box_mesh({1, 1, thickness}, 3).vertices;
    const Mat3 R = rotation_about(random_vector(rng).normalized(), 1);
    const TriMesh slab = transformed({R, Vec3::Zero()}, {points, {}});
    const TriMesh hull = convex_hull(slab.vertices);
    EXPECT_TRUE(check_mesh(hull).watertight());
    EXPECT_NEAR(solid_properties(hull).volume / thickness, 1, 1e-6);  // measured 1.3e-9
  }
}

TEST(LongConvexHull, AHundredThousandPointsInASecond) {
  CounterRng rng(8);
  for (const bool sphere : {false, true}) {
    const std::vector<Vec3> points = sphere ? on_sphere(rng, 100'000) : random_cloud(rng, 100'000);
    const auto start = std::chrono::steady_clock::now();
    const TriMesh hull = convex_hull(points);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::printf("hull of 1e5 points %s: %zu vertices in %.3f s\n",
                sphere ? "on a sphere" : "in a cloud", hull.vertices.size(), seconds);
    EXPECT_LT(seconds, sphere ? 6 : 2);
  }
}

}  // namespace
}  // namespace grouser::internal
