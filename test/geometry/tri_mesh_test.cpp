#include "geometry/tri_mesh.h"

#include <gtest/gtest.h>

#include "geometry/mass_properties.h"
#include "geometry/primitives.h"
#include "math/rotation.h"
#include "support/allocation_count.h"

namespace grouser::internal {
namespace {

TEST(TriMesh, BoundsOfABox) {
  const Aabb box = bounds(box_mesh({2, 4, 6}));
  EXPECT_EQ(box.lower, Vec3(-1, -2, -3));
  EXPECT_EQ(box.upper, Vec3(1, 2, 3));
  EXPECT_TRUE(bounds({}).empty());
}

TEST(TriMesh, AreaVectorOfARightTriangle) {
  const TriMesh mesh{{{1, 1, 1}, {4, 1, 1}, {1, 3, 1}}, {{0, 1, 2}}};
  EXPECT_EQ(area_vector(mesh, 0), Vec3(0, 0, 3));
}

TEST(TriMesh, TransformedTurnsThenShifts) {
  const Pose X{rotation_about(Vec3::UnitZ(), std::numbers::pi / 2), {10, 0, 0}};
  const TriMesh mesh = transformed(X, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2}}});
  EXPECT_NEAR((mesh.vertices[0] - Vec3(10, 1, 0)).norm(), 0, 1e-15);  // measured 6e-17
  EXPECT_NEAR((mesh.vertices[1] - Vec3(9, 0, 0)).norm(), 0, 1e-15);   // measured 6e-17
  EXPECT_EQ(mesh.vertices[2], Vec3(10, 0, 1));
}

TEST(TriMesh, ScalingMultipliesTheVolumeByTheMagnitudesAndKeepsOutsideOutside) {
  const TriMesh box = box_mesh({1, 2, 3});
  EXPECT_EQ(solid_properties(scaled({2, 1, 0.5}, box)).volume, 6);
  EXPECT_EQ(solid_properties(scaled({-2, 1, 0.5}, box)).volume, 6);
  EXPECT_EQ(solid_properties(scaled({-2, -1, 0.5}, box)).volume, 6);
  EXPECT_EQ(solid_properties(scaled({-2, -1, -0.5}, box)).volume, 6);
}

TEST(TriMesh, AppendAddsASeparatePiece) {
  TriMesh mesh = box_mesh({1, 1, 1});
  append(mesh, transformed({.p = {5, 0, 0}}, mesh));
  EXPECT_EQ(mesh.vertices.size(), 16U);
  EXPECT_EQ(mesh.triangles.size(), 24U);
  EXPECT_NEAR((solid_properties(mesh).centroid - Vec3(2.5, 0, 0)).norm(), 0, 1e-14);  // measured 0
  append(mesh, mesh);
  EXPECT_EQ(mesh.triangles.size(), 48U);
  EXPECT_EQ(mesh.triangles[24][0], mesh.triangles[0][0] + 16);
}

// A mesh that would be copied as a whole for each piece takes a time that grows with the square of the pieces.
TEST(TriMesh, AppendingManyPiecesCopiesSeldom) {
  if (!allocations_are_counted()) GTEST_SKIP() << "a sanitizer allocates";
  const TriMesh piece = box_mesh({1, 1, 1});
  TriMesh mesh;
  const std::uint64_t before = allocation_count();
  for (int i = 0; i < 4000; ++i) append(mesh, piece);
  EXPECT_LT(allocation_count() - before,
            60u);  // doubling: log2(4000 · 12) = 16 for each of two lists
  EXPECT_EQ(mesh.triangles.size(), 4000 * piece.triangles.size());
}

}  // namespace
}  // namespace grouser::internal
