#include "geometry/polygon.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "core/rng.h"
#include "math/rotation.h"

namespace grouser::internal {
namespace {

/// Area of the pieces with their sign, and the sum of their magnitudes: equal if none is turned
/// over.
struct Areas {
  double sum = 0, covered = 0;
};

Areas cut_areas(const std::vector<Vec3>& points, const Vec3& normal) {
  std::vector<std::int32_t> corners(points.size());
  std::iota(corners.begin(), corners.end(), 0);
  TriMesh mesh{points, std::vector<Triangle>(points.size() - 2)};
  std::uint64_t budget = 1'000'000;
  EXPECT_TRUE(cut_polygon(points, corners, mesh.triangles, budget));
  Areas areas;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    areas.sum += area_vector(mesh, i).dot(normal);
    areas.covered += std::abs(area_vector(mesh, i).dot(normal));
  }
  return areas;
}

// The area of a polygon by the shoelace formula does not know how it was cut.
TEST(Polygon, StarsOfAnyShapeAreCutWithoutOverlap) {
  CounterRng rng(1);
  for (int repeat = 0; repeat < 300; ++repeat) {
    const int n = 4 + static_cast<int>(rng.index(30));
    const Mat3 R = rotation_about(Vec3(rng.normal(), rng.normal(), rng.normal()).normalized(), 2);
    std::vector<Vec3> points;
    double shoelace = 0;
    std::vector<Vec2> flat;
    for (int i = 0; i < n; ++i) {
      const double angle = 2 * std::numbers::pi * i / n, radius = rng.uniform(0.1, 1);
      flat.emplace_back(radius * std::cos(angle), radius * std::sin(angle));
      points.push_back(R * Vec3(flat[i].x(), flat[i].y(), 3));
    }
    for (int i = 0; i < n; ++i) {
      const Vec2 &a = flat[i], &b = flat[(i + 1) % n];
      shoelace += 0.5 * (a.x() * b.y() - a.y() * b.x());
    }
    const Areas areas = cut_areas(points, R.col(2));
    EXPECT_NEAR(areas.sum / shoelace, 1, 1e-12);      // measured 1e-15
    EXPECT_NEAR(areas.covered / shoelace, 1, 1e-12);  // measured 1e-15
  }
}

TEST(Polygon, CollinearAndRepeatedCorners) {
  const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 0, 0}, {2, 1, 0},
                                    {1, 1, 0}, {1, 2, 0}, {0, 2, 0}, {0, 1, 0}};
  const Areas areas = cut_areas(points, Vec3::UnitZ());
  EXPECT_NEAR(areas.sum, 3, 1e-15);      // measured 0
  EXPECT_NEAR(areas.covered, 3, 1e-15);  // measured 0
}

TEST(Polygon, NonsenseGivesSomeTriangles) {
  cut_areas(std::vector<Vec3>(7, Vec3::Zero()), Vec3::UnitZ());
  cut_areas({{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}}, Vec3::UnitZ());  // crosses itself
}

TEST(Polygon, StopsCaringWhenTheBudgetIsUsedUp) {
  CounterRng rng(2);
  std::vector<Vec3> points;
  std::vector<std::int32_t> corners;
  for (int i = 0; i < 500; ++i) {
    const double angle = 2 * std::numbers::pi * i / 500, radius = rng.uniform(0.1, 1);
    points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), 0);
    corners.push_back(i);
  }
  std::vector<Triangle> triangles(498);
  std::uint64_t budget = 10'000;
  EXPECT_FALSE(cut_polygon(points, corners, triangles, budget));
  for (const Triangle& t : triangles) EXPECT_NE(t, (Triangle{0, 0, 0}));
}

}  // namespace
}  // namespace grouser::internal
