#include "geometry/mesh_simplify.h"

#include <gtest/gtest.h>

#include "geometry/mesh_check.h"
#include "geometry/mesh_query.h"
#include "geometry/mesh_refine.h"
#include "geometry/primitives.h"

namespace grouser::internal {
namespace {

TEST(MeshSimplify, ABoxIsLeftWithItsCorners) {
  const TriMesh box = box_mesh(Vec3(1, 2, 3));
  const TriMesh simple = simplified(refined(box, 0.2), {.max_edge = 10, .tolerance = 1e-9});
  EXPECT_EQ(simple.triangles.size(), 12);
  EXPECT_EQ(simple.vertices.size(), 8);
  EXPECT_NEAR(check_mesh(simple).volume, 6, 1e-12);
}

TEST(MeshSimplify, ACylinderKeepsItsShapeAndNoEdgeGetsTooLong) {
  const TriMesh fine = cylinder_mesh(0.1, 0.1, {.segments = 100, .rings = 20, .cap_rings = 10});
  const TriMesh simple = simplified(fine, {.max_edge = 0.03, .tolerance = 1e-6});
  const MeshReport report = check_mesh(simple);
  EXPECT_TRUE(report.solid());
  EXPECT_NEAR(report.volume, check_mesh(fine).volume, 1e-14);  // only flat parts lose vertices
  EXPECT_LE(report.longest_edge, 0.03);
  EXPECT_LT(simple.triangles.size(), fine.triangles.size() / 3);
}

TEST(MeshSimplify, NoVertexThatGoesIsFartherThanTheTolerance) {
  const TriMesh ball = sphere_mesh(1, 16);
  for (const double tolerance : {1e-4, 1e-3, 1e-2}) {
    const TriMesh simple = simplified(ball, {.max_edge = 1, .tolerance = tolerance});
    const MeshReport report = check_mesh(simple);
    EXPECT_TRUE(report.solid());
    const MeshQuery surface(simple);
    double farthest = 0;
    for (const Vec3& p : ball.vertices) {
      farthest = std::max(farthest, surface.nearest(p, 1)->distance);
    }
    EXPECT_LE(farthest, tolerance);
  }
}

}  // namespace
}  // namespace grouser::internal
