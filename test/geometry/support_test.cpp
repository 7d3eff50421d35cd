#include "geometry/support.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>

#include "core/rng.h"
#include "geometry/convex_hull.h"
#include "geometry/primitives.h"
#include "support/allocation_count.h"
#include "support/random.h"

namespace grouser::internal {
namespace {

/// The support of a shape against points of its surface.
template <class S>
void expect_farthest(const S& shape, const std::vector<Vec3>& surface, double gap) {
  CounterRng rng(1);
  for (int i = 0; i < 200; ++i) {
    const Vec3 direction = random_vector(rng).normalized();
    const Vec3 point = support(shape, direction);
    double best = -std::numeric_limits<double>::infinity();
    for (const Vec3& p : surface) best = std::max(best, direction.dot(p));
    EXPECT_GE(direction.dot(point), best - 1e-14);
    EXPECT_LE(direction.dot(point), best + gap);  // the surface is sampled
    EXPECT_EQ(support(shape, 7 * direction), support(shape, 7 * direction));
  }
}

TEST(Support, OfShapesIsFarthest) {
  expect_farthest(BoxShape{{1, 2, 3}}, box_mesh({1, 2, 3}).vertices, 1e-14);
  expect_farthest(SphereShape{0.5}, sphere_mesh(0.5, 60).vertices, 1e-4);
  expect_farthest(CylinderShape{0.5, 2}, cylinder_mesh(0.5, 2, {.segments = 512}).vertices, 1e-4);
  expect_farthest(CapsuleShape{0.5, 2}, capsule_mesh(0.5, 2, 512).vertices, 1e-4);
}

TEST(Support, HandValues) {
  EXPECT_EQ(support(BoxShape{{2, 4, 6}}, {1, -0.1, 5}), Vec3(1, -2, 3));
  EXPECT_EQ(support(SphereShape{2}, {0, 0, -1e-200}), Vec3(0, 0, -2));
  EXPECT_EQ(support(SphereShape{2}, {0, 1e300, 0}), Vec3(0, 2, 0));
  EXPECT_EQ(support(CylinderShape{2, 6}, {0, -5, 1e-9}), Vec3(0, -2, 3));
  EXPECT_EQ(support(CapsuleShape{1, 6}, {0, 0, -3}), Vec3(0, 0, -4));
}

TEST(Support, ZeroDirectionGivesAPointOfTheShape) {
  const Vec3 zero = Vec3::Zero();
  EXPECT_EQ(support(BoxShape{{2, 2, 2}}, zero), Vec3(1, 1, 1));
  EXPECT_EQ(support(SphereShape{1}, zero), zero);
  EXPECT_EQ(support(CylinderShape{1, 2}, zero), Vec3(0, 0, 1));
  EXPECT_EQ(support(CapsuleShape{1, 2}, zero), Vec3(0, 0, 1));
  EXPECT_EQ(ConvexHull(box_mesh({1, 1, 1})).support_index(zero), 0U);
}

std::size_t brute_force(const TriMesh& hull, const Vec3& d) {
  const auto along = [&](std::size_t i) {
    const Vec3& v = hull.vertices[i];
    return d.x() * v.x() + d.y() * v.y() + d.z() * v.z();
  };
  std::size_t best = 0;
  for (std::size_t i = 1; i < hull.vertices.size(); ++i) {
    if (along(i) > along(best)) best = i;
  }
  return best;
}

TEST(Support, OfHullsEqualsBruteForce) {
  CounterRng rng(2);
  for (const int count : {4, 7, 8, 9, 15, 16, 17, 40, 100, 333}) {
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) points.push_back(random_vector(rng).normalized());
    const ConvexHull hull(convex_hull(points));
    for (int i = 0; i < 300; ++i) {
      const Vec3 direction = random_vector(rng);
      EXPECT_EQ(hull.support_index(direction), brute_force(hull.mesh(), direction));
      EXPECT_EQ(hull.support(direction), support(hull, direction));
    }
  }
}

TEST(Support, TiesGoToTheLowestIndex) {
  const ConvexHull hull(box_mesh({2, 2, 2}, 3));
  for (const double x : {-1.0, 0.0, 1.0}) {
    for (const double y : {-1.0, 0.0, 1.0}) {
      for (const double z : {-1.0, 0.0, 1.0}) {
        EXPECT_EQ(hull.support_index({x, y, z}), brute_force(hull.mesh(), {x, y, z}));
      }
    }
  }
}

TEST(Support, CentreIsTheCentreOfMass) {
  const ConvexHull hull(transformed({.p = {1, 2, 3}}, box_mesh({1, 1, 1})));
  EXPECT_NEAR((hull.centre() - Vec3(1, 2, 3)).norm(), 0, 1e-15);  // measured 0
}

TEST(Support, AllocatesNothing) {
  if (!allocations_are_counted()) GTEST_SKIP() << "this build does not count allocations";
  const ConvexHull hull(sphere_mesh(1, 4));
  const std::uint64_t before = allocation_count();
  EXPECT_LT(hull.support_index({1, 2, 3}), hull.mesh().vertices.size());
  EXPECT_EQ(allocation_count(), before);
}

TEST(LongSupport, AHundredVerticesInTwentyNanoseconds) {
  CounterRng rng(3);
  std::vector<Vec3> points, directions;
  for (int i = 0; i < 100; ++i) points.push_back(random_vector(rng).normalized());
  for (int i = 0; i < 1024; ++i) directions.push_back(random_vector(rng));
  const ConvexHull hull(convex_hull(points));
  double best = 1;
  std::size_t sum = 0;
  for (int repeat = 0; repeat < 50; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    for (const Vec3& direction : directions) sum += hull.support_index(direction);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    best = std::min(best, seconds / 1024);
  }
  std::printf("support of 100 vertices: %.1f ns (%zu)\n", 1e9 * best, sum);
  EXPECT_LT(best, 200e-9);
}

}  // namespace
}  // namespace grouser::internal
