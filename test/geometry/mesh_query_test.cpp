#include "geometry/mesh_query.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/primitives.h"
#include "random_mesh.h"

namespace grouser::internal {
namespace {

TEST(MeshQuery, RayMeetsBoxWhereItShould) {
  const MeshQuery box(box_mesh(Vec3(2, 4, 6), 5));
  const auto hit = box.ray_cast(Vec3(-5, 0.3, 0.2), Vec3(2, 0, 0), 100);
  ASSERT_TRUE(hit);
  EXPECT_DOUBLE_EQ(hit->distance, 4);
  EXPECT_TRUE(hit->point.isApprox(Vec3(-1, 0.3, 0.2), 1e-15));
  EXPECT_TRUE(hit->normal.isApprox(-Vec3::UnitX(), 1e-15));
  EXPECT_FALSE(box.ray_cast(Vec3(-5, 0.3, 0.2), Vec3(1, 0, 0), 3.99));
  EXPECT_FALSE(box.ray_cast(Vec3(-5, 0.3, 0.2), Vec3(-1, 0, 0), 100));
  EXPECT_FALSE(box.ray_cast(Vec3(-5, 2.1, 0), Vec3(1, 0, 0), 100));
  // From inside, the far wall.
  EXPECT_DOUBLE_EQ(box.ray_cast(Vec3::Zero(), Vec3::UnitZ(), 100)->distance, 3);
}

TEST(MeshQuery, NoRaySlipsBetweenTriangles) {
  // Rays from the centre of a closed mesh, many of them right at vertices and edges' middles.
  const MeshQuery sphere(sphere_mesh(1, 6));
  const TriMesh& mesh = sphere.mesh();
  for (const Triangle& t : mesh.triangles) {
    const Vec3& a = mesh.vertices[static_cast<std::size_t>(t[0])];
    const Vec3& b = mesh.vertices[static_cast<std::size_t>(t[1])];
    EXPECT_TRUE(sphere.ray_cast(Vec3::Zero(), a, 2));
    EXPECT_TRUE(sphere.ray_cast(Vec3::Zero(), a + b, 2));
    EXPECT_TRUE(sphere.ray_cast(Vec3::Zero(), 0.3 * a + 0.7 * b, 2));
  }
}

TEST(MeshQuery, RaysAgreeWithTestingAllTriangles) {
  CounterRng rng(1);
  const TriMesh soup = triangle_soup(rng, 400, 5, 1);
  const MeshQuery all(soup);
  int hits = 0;
  for (int i = 0; i < 500; ++i) {
    const Vec3 origin = random_point(rng, 6), direction = random_point(rng, 1);
    double nearest = 20;
    int triangle = -1;
    for (std::size_t t = 0; t < soup.triangles.size(); ++t) {
      const MeshQuery one(
          {{soup.vertices[3 * t], soup.vertices[3 * t + 1], soup.vertices[3 * t + 2]},
           {{0, 1, 2}}});
      const auto hit = one.ray_cast(origin, direction, nearest);
      if (!hit) continue;
      nearest = hit->distance;
      triangle = static_cast<int>(t);
    }
    const auto hit = all.ray_cast(origin, direction, 20);
    ASSERT_EQ(hit ? hit->triangle : -1, triangle);
    if (!hit) continue;
    ++hits;
    EXPECT_EQ(hit->distance, nearest);
    // The point lies in the triangle's plane.
    const Vec3& corner = soup.vertices[static_cast<std::size_t>(3 * triangle)];
    EXPECT_NEAR(hit->normal.dot(hit->point - corner), 0, 1e-12);  // measured 1.5e-15
  }
  EXPECT_GT(hits, 100);
}

TEST(MeshQuery, NearestPointOfSphereIsRadial) {
  const MeshQuery sphere(sphere_mesh(1, 40));
  CounterRng rng(2);
  for (int i = 0; i < 200; ++i) {
    const Vec3 p = random_point(rng, 3);
    const auto hit = sphere.nearest(p, 10);
    ASSERT_TRUE(hit);
    EXPECT_NEAR(hit->distance, std::abs(p.norm() - 1), 1e-3);  // measured 1.8e-4: chords
    EXPECT_FALSE(sphere.nearest(p, hit->distance * 0.999));
  }
}

// The nearest point minimises the distance over the triangle: none of many points of it is nearer, and
// the point lies on the triangle.
TEST(MeshQuery, NearestPointOnTriangleIsNearest) {
  CounterRng rng(3);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 a = random_point(rng, 1), b = random_point(rng, 1), c = random_point(rng, 1);
    const Vec3 p = random_point(rng, 2);
    const Vec3 q = nearest_point_on_triangle(p, a, b, c);
    const double best = (p - q).norm();
    for (int k = 0; k < 30; ++k) {
      const double u = rng.uniform(), v = rng.uniform() * (1 - u);
      EXPECT_GE((p - (a + u * (b - a) + v * (c - a))).norm(), best - 1e-14);
    }
    // q = a + u ab + v ac with u, v >= 0 and u + v <= 1.
    Eigen::Matrix<double, 3, 2> edges;
    edges << b - a, c - a;
    const Vec2 uv = (edges.transpose() * edges).inverse() * edges.transpose() * (q - a);
    EXPECT_GE(uv.minCoeff(), -1e-7);  // thin triangles lose digits here, not in q
    EXPECT_LE(uv.sum(), 1 + 1e-7);
  }
}

}  // namespace
}  // namespace grouser::internal
