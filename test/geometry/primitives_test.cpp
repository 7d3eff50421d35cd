#include "geometry/primitives.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/error.h"
#include "geometry/mesh_check.h"

namespace grouser::internal {
namespace {

/// Euler characteristic V - E + F: 2 for a ball, 0 for a torus. A closed mesh has E = 3 F / 2.
long euler(const MeshReport& report) {
  return static_cast<long>(report.vertices) - static_cast<long>(report.triangles) / 2;
}

void expect_solid(const TriMesh& mesh, std::size_t triangles, long characteristic) {
  const MeshReport report = check_mesh(mesh);
  EXPECT_TRUE(report.solid()) << to_text(report);
  EXPECT_EQ(report.triangles, triangles);
  EXPECT_EQ(report.pieces, 1U);
  EXPECT_EQ(report.duplicate_vertices, 0U);
  EXPECT_EQ(report.unused_vertices, 0U);
  EXPECT_EQ(euler(report), characteristic);
}

TEST(Primitives, AreClosedSolids) {
  for (const int n : {1, 2, 5}) {
    expect_solid(box_mesh({0.3, 1.7, 0.9}, n), 12U * n * n, 2);
    expect_solid(sphere_mesh(0.7, n), 20U * n * n, 2);
  }
  expect_solid(cylinder_mesh(0.2, 0.5, {.segments = 3}), 12, 2);
  expect_solid(cylinder_mesh(0.2, 0.5, {.segments = 12, .rings = 4, .cap_rings = 3}),
               12 * 2 * (4 + 3 + 2), 2);
  expect_solid(capsule_mesh(0.2, 0.5, 3), 3 * 2 * 2, 2);
  expect_solid(capsule_mesh(0.2, 0.5, 16), 16 * 2 * (4 + 4), 2);
  expect_solid(torus_mesh(1, 0.3, 12, 7), 12 * 7 * 2, 0);
}

TEST(Primitives, BoxIsExact) {
  const MeshReport report = check_mesh(box_mesh({1, 2, 4}, 3));
  EXPECT_NEAR(report.volume, 8, 1e-13);              // measured 2e-14
  EXPECT_NEAR(report.area, 2 * (2 + 4 + 8), 1e-13);  // measured 4e-14
  EXPECT_EQ(check_mesh(box_mesh({1, 2, 4})).vertices, 8U);
}

TEST(Primitives, PointsLieOnTheSurfaces) {
  for (const Vec3& v : sphere_mesh(2, 7).vertices)
    EXPECT_NEAR(v.norm(), 2, 1e-15);  // measured 4e-16
  for (const Vec3& v : torus_mesh(1, 0.25, 20, 9).vertices) {
    EXPECT_NEAR(std::hypot(v.head<2>().norm() - 1, v.z()), 0.25, 1e-15);  // measured 2e-16
  }
  for (const Vec3& v : capsule_mesh(0.5, 1, 16).vertices) {
    const double beyond = std::max(0.0, std::abs(v.z()) - 0.5);
    EXPECT_NEAR(std::hypot(v.head<2>().norm(), beyond), 0.5, 1e-15);  // measured 6e-17
  }
}

/// Longest and shortest edge of the mesh of a shape, over the length asked for.
void expect_edges(const Shape& shape, double length, double low, double high) {
  const MeshReport report = check_mesh(mesh_of(shape, length));
  EXPECT_TRUE(report.solid()) << to_text(report);
  EXPECT_GT(report.longest_edge / length, low);
  EXPECT_LT(report.longest_edge / length, high);
}

TEST(MeshOf, HasEdgesOfAboutTheLengthAskedFor) {
  expect_edges(SphereShape{0.5}, 0.05, 0.9, 1.3);
  expect_edges(CylinderShape{0.5, 2}, 0.05, 0.9, 11);  // spokes of the caps are a radius long
  expect_edges(CapsuleShape{0.5, 2}, 0.05, 0.9, 1.6);
}

TEST(MeshOf, BoxNeedsTwelveTriangles) {
  EXPECT_EQ(mesh_of(BoxShape{{1, 2, 3}}, 1e-9).triangles.size(), 12U);
}

TEST(MeshOf, StaysRoundHoweverCoarse) {
  EXPECT_GE(mesh_of(SphereShape{1}, 1e9).triangles.size(), 80U);
  EXPECT_GE(mesh_of(CylinderShape{1, 1}, 1e9).triangles.size(), 32U);
  EXPECT_GE(mesh_of(CapsuleShape{1, 1}, 1e9).triangles.size(), 64U);
}

TEST(MeshOf, RefusesTooManyTriangles) {
  for (const Shape& shape :
       {Shape(SphereShape{1}), Shape(CylinderShape{1, 1}), Shape(CapsuleShape{1, 1})}) {
    for (const double length : {1e-5, 1e-300}) {
      try {
        mesh_of(shape, length);
        FAIL();
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input);
        EXPECT_EQ(error.issues()[0].field, "edge_length");
      }
    }
  }
}

}  // namespace
}  // namespace grouser::internal
