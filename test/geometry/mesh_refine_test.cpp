#include "geometry/mesh_refine.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "geometry/mass_properties.h"
#include "geometry/mesh_check.h"
#include "geometry/primitives.h"

namespace grouser::internal {
namespace {

TEST(MeshRefine, KeepsTheSolidAndShortensItsEdges) {
  for (const TriMesh& mesh :
       {box_mesh(Vec3(1, 0.3, 0.02)), cylinder_mesh(0.2, 3, {.segments = 5})}) {
    const MeshReport before = check_mesh(mesh);
    for (const double edge : {0.5, 0.11}) {
      const MeshReport after = check_mesh(refined(mesh, edge));
      EXPECT_TRUE(after.solid());
      EXPECT_LE(after.longest_edge, edge);
      EXPECT_NEAR(after.volume, before.volume, 1e-14);
      EXPECT_NEAR(after.area, before.area, 1e-13);
    }
  }
}

TEST(MeshRefine, LeavesShortEdgesAlone) {
  const TriMesh ball = sphere_mesh(1, 4);
  EXPECT_EQ(refined(ball, 1).triangles, ball.triangles);
}

TEST(MeshRefine, RefusesTooMuch) { EXPECT_THROW(refined(box_mesh(Vec3(1, 1, 1)), 1e-4), Error); }

}  // namespace
}  // namespace grouser::internal
