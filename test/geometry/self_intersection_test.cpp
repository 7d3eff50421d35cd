#include "geometry/self_intersection.h"

#include <gtest/gtest.h>

#include <numbers>

#include "core/parallel.h"
#include "core/rng.h"
#include "geometry/primitives.h"
#include "geometry/random_mesh.h"
#include "geometry/triangle_intersection.h"
#include "math/rotation.h"

namespace grouser::internal {
namespace {

TEST(SelfIntersection, SolidsHaveNoneHoweverTheyLie) {
  CounterRng rng(1);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const Vec3 axis = Vec3(rng.normal(), rng.normal(), rng.normal()).normalized();
    const Pose X{rotation_about(axis, rng.uniform(0, 3)), 100 * axis};
    for (const TriMesh& mesh :
         {box_mesh({1, 2, 0.1}, 6), sphere_mesh(1, 5), torus_mesh(1, 0.4, 16, 9),
          cylinder_mesh(0.3, 0.2, {.segments = 17, .rings = 3, .cap_rings = 3}),
          capsule_mesh(0.2, 0.5, 12)}) {
      EXPECT_EQ(count_self_intersections(mesh), 0U);
      EXPECT_EQ(count_self_intersections(transformed(X, mesh)), 0U);
    }
  }
}

// Two tetrahedra, the tip of one through one face of the other: each of the three faces of the tip
// cuts that one face.
TEST(SelfIntersection, TipThroughAFace) {
  const TriMesh target{{{-9, -9, 0}, {9, -9, 0}, {0, 9, 0}, {0, 0, -9}},
                       {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}}};
  const TriMesh arrow{{{0.1, 0.2, -0.5}, {1, 0, 2}, {-1, 0.5, 2}, {0, -1, 2}},
                      {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}}};
  EXPECT_EQ(count_self_intersections(together(target, arrow)), 3U);
}

TEST(SelfIntersection, EqualsBruteForce) {
  CounterRng rng(2);
  TriMesh mesh;
  for (int i = 0; i < 300; ++i) {
    const Vec3 centre = 3 * Vec3(rng.uniform(), rng.uniform(), rng.uniform());
    for (int k = 0; k < 3; ++k) {
      mesh.vertices.push_back(centre + 0.4 * Vec3(rng.normal(), rng.normal(), rng.normal()));
    }
    mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  const auto points = [&](std::size_t i) {
    return TrianglePoints{mesh.vertices[3 * i], mesh.vertices[3 * i + 1], mesh.vertices[3 * i + 2]};
  };
  std::size_t expected = 0;
  for (std::size_t i = 0; i < 300; ++i) {
    for (std::size_t j = i + 1; j < 300; ++j) expected += triangles_cut(points(i), points(j));
  }
  ASSERT_GT(expected, 100U);
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    EXPECT_EQ(count_self_intersections(mesh), expected);
  }
  set_thread_count(0);
}

TEST(SelfIntersection, SoupOfASolidHasNone) {
  const TriMesh box = box_mesh({1, 1, 1}, 3);
  TriMesh soup;
  for (const Triangle& t : box.triangles) {
    const auto first = static_cast<std::int32_t>(soup.vertices.size());
    for (const std::int32_t i : t) soup.vertices.push_back(box.vertices[i]);
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  EXPECT_EQ(count_self_intersections(soup), 0U);
}

TEST(SelfIntersection, FoldedNeighbourCounts) {
  EXPECT_EQ(count_self_intersections(
                {{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0.5, 1, 0}}, {{0, 1, 2}, {1, 0, 3}}}),
            1U);
  EXPECT_EQ(count_self_intersections(
                {{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0.5, -1, 0}}, {{0, 1, 2}, {1, 0, 3}}}),
            0U);
}

TEST(SelfIntersection, DuplicatesAndDegenerateOnesDoNotCount) {
  EXPECT_EQ(count_self_intersections({{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {1, 0, 0}},
                                      {{0, 1, 2}, {1, 0, 2}, {0, 3, 1}, {0, 0, 2}}}),
            0U);
  EXPECT_EQ(count_self_intersections({}), 0U);
}

TEST(SelfIntersection, OverlappingSpheresCutAlongACircle) {
  const TriMesh ball = sphere_mesh(1, 12);
  const TriMesh two = together(ball, transformed({.p = {1, 0.01, 0.02}}, ball));
  const std::size_t count = count_self_intersections(two);
  // The circle has a length of 2π √3/2 and crosses edges of about 0.1 on either side.
  EXPECT_GT(count, 100U);
  EXPECT_LT(count, 400U);
}

// Triangles through a common axis: more than a million pairs, had it to count them all.
TEST(SelfIntersection, StopsAtAMillion) {
  TriMesh mesh;
  const int count = 1500;
  for (int i = 0; i < count; ++i) {
    const Mat3 R = rotation_about(Vec3::UnitZ(), std::numbers::pi * i / count);
    mesh.vertices.insert(mesh.vertices.end(),
                         {R * Vec3(-1, 0, -1), R * Vec3(1, 0, -1), R * Vec3(0, 0, 1)});
    mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  EXPECT_EQ(count_self_intersections(mesh), kMaxSelfIntersections);
}

}  // namespace
}  // namespace grouser::internal
