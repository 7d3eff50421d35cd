#include "geometry/mesh_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <numbers>

#include "geometry/primitives.h"

namespace grouser::internal {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(MeshCheck, UnitCube) {
  const MeshReport report = check_mesh(box_mesh({1, 1, 1}));
  EXPECT_TRUE(report.solid());
  EXPECT_EQ(report.vertices, 8U);
  EXPECT_EQ(report.triangles, 12U);
  EXPECT_EQ(report.pieces, 1U);
  EXPECT_EQ(report.sharp_edges, 12U);  // the diagonals of the faces are flat
  EXPECT_EQ(report.volume, 1);
  EXPECT_EQ(report.area, 6);
  EXPECT_EQ(report.shortest_edge, 1);
  EXPECT_EQ(report.longest_edge, std::numbers::sqrt2);
  EXPECT_EQ(report.box.lower, Vec3::Constant(-0.5));
  EXPECT_EQ(report.box.upper, Vec3::Constant(0.5));
}

TEST(MeshCheck, SharpnessDependsOnTheAngle) {
  const TriMesh cylinder = cylinder_mesh(1, 1, {.segments = 12});  // mantle bent by 30 degrees
  const auto sharp = [&](double degrees) {
    return check_mesh(cylinder, {.sharp_angle = degrees * std::numbers::pi / 180}).sharp_edges;
  };
  EXPECT_EQ(sharp(95), 0U);
  EXPECT_EQ(sharp(60), 24U);
  EXPECT_EQ(sharp(29), 36U);
}

TEST(MeshCheck, RemovedTriangleLeavesThreeOpenEdges) {
  TriMesh mesh = box_mesh({1, 1, 1}, 4);
  mesh.triangles.erase(mesh.triangles.begin() + 20);
  const MeshReport report = check_mesh(mesh);
  EXPECT_EQ(report.open_edges, 3U);
  EXPECT_FALSE(report.watertight());
  EXPECT_EQ(report.volume, 0);
}

TEST(MeshCheck, TurnedTriangleFlipsItsEdges) {
  TriMesh mesh = box_mesh({1, 1, 1}, 4);
  std::swap(mesh.triangles[20][0], mesh.triangles[20][1]);
  const MeshReport report = check_mesh(mesh);
  EXPECT_EQ(report.flipped_edges, 3U);
  EXPECT_TRUE(report.watertight());
  EXPECT_FALSE(report.oriented());
  EXPECT_EQ(report.sharp_edges, check_mesh(box_mesh({1, 1, 1}, 4)).sharp_edges);
}

TEST(MeshCheck, RepeatedTriangleCrowdsItsEdges) {
  TriMesh mesh = box_mesh({1, 1, 1});
  const Triangle t = mesh.triangles[3];
  mesh.triangles.push_back({t[1], t[0], t[2]});
  const MeshReport report = check_mesh(mesh, {.self_intersections = false});
  EXPECT_EQ(report.duplicate_triangles, 1U);
  EXPECT_EQ(report.crowded_edges, 3U);
}

TEST(MeshCheck, CountsVerticesThatAreRepeatedOrUnused) {
  TriMesh mesh = box_mesh({1, 1, 1});
  mesh.vertices.push_back(mesh.vertices[2]);
  mesh.vertices.push_back({9, 9, 9});
  const MeshReport report = check_mesh(mesh);
  EXPECT_EQ(report.duplicate_vertices, 1U);
  EXPECT_EQ(report.unused_vertices, 2U);
  EXPECT_EQ(report.pieces, 1U);
  EXPECT_TRUE(report.solid());
}

TEST(MeshCheck, NegativeZeroIsZero) {
  const TriMesh mesh{{{0, 0, 0}, {-0.0, 0, 0}, {0, -0.0, -0.0}}, {}};
  EXPECT_EQ(check_mesh(mesh).duplicate_vertices, 2U);
}

TEST(MeshCheck, DegenerateTriangles) {
  TriMesh mesh{{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {1, 1e-12, 0}},
               {{0, 1, 2}, {0, 0, 3}, {0, 1, 3}, {0, 4, 2}}};
  EXPECT_EQ(check_mesh(mesh).degenerate_triangles, 2U);
  // A kilometre away, 1e-13 m is less than the spacing of doubles, 1e-12 m is not.
  const TriMesh far{{{1000, 0, 0}, {1001, 1e-13, 0}, {1002, 0, 0}, {1001, 1e-12, 0}},
                    {{0, 1, 2}, {0, 3, 2}}};
  EXPECT_EQ(check_mesh(far).degenerate_triangles, 1U);
}

TEST(MeshCheck, PiecesAreConnectedByVertices) {
  TriMesh mesh = sphere_mesh(1, 2);
  append(mesh, transformed({.p = {3, 0, 0}}, box_mesh({1, 1, 1})));
  append(mesh, transformed({.p = {6, 0, 0}}, box_mesh({1, 1, 1})));
  EXPECT_EQ(check_mesh(mesh).pieces, 3U);
}

TEST(MeshCheck, EmptyMesh) {
  const MeshReport report = check_mesh({});
  EXPECT_FALSE(report.watertight());
  EXPECT_FALSE(report.solid());
  EXPECT_EQ(report.shortest_edge, 0);
  EXPECT_THAT(to_text(report), StartsWith("This mesh is empty"));
}

TEST(MeshText, VerdictOfASolid) {
  const std::string text = to_text(check_mesh(box_mesh({0.1, 0.1, 0.12})));
  EXPECT_THAT(text, StartsWith("This mesh is a closed solid of 1.2 dm³.\n"));
  EXPECT_THAT(text, HasSubstr("extent 0.1 x 0.1 x 0.12 m"));
  EXPECT_THAT(text, HasSubstr("12 sharp edges: "));
  EXPECT_THAT(text, testing::Not(HasSubstr("open edge")));
}

TEST(MeshText, VerdictsOfDefects) {
  TriMesh open = box_mesh({1, 1, 1});
  open.triangles.pop_back();
  const std::string text = to_text(check_mesh(open));
  EXPECT_THAT(text,
              StartsWith("This mesh is not a closed solid: 3 open edges; its volume, mass and "
                         "inertia cannot be computed."));
  EXPECT_THAT(text, HasSubstr("- 3 open edges: the rim of a hole"));

  TriMesh inverted = box_mesh({1, 1, 1});
  for (Triangle& t : inverted.triangles) std::swap(t[0], t[1]);
  EXPECT_THAT(to_text(check_mesh(inverted)), StartsWith("This mesh is closed, but inside out"));

  TriMesh turned = box_mesh({1, 1, 1});
  std::swap(turned.triangles[0][0], turned.triangles[0][1]);
  EXPECT_THAT(to_text(check_mesh(turned)), HasSubstr("disagree about the outside along 3 edges"));
}

TEST(MeshText, SaysOneEdge) {
  EXPECT_THAT(to_text({.triangles = 4, .open_edges = 1}),
              StartsWith("This mesh is not a closed solid: 1 open edge;"));
}

TEST(LongMeshCheck, AMillionTrianglesInASecond) {
  const TriMesh mesh = sphere_mesh(1, 224);
  ASSERT_GT(mesh.triangles.size(), 1'000'000U);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(check_mesh(mesh, {.self_intersections = false}).watertight());
  const auto middle = std::chrono::steady_clock::now();
  EXPECT_EQ(check_mesh(mesh).self_intersections, 0U);
  const auto end = std::chrono::steady_clock::now();
  const double plain = std::chrono::duration<double>(middle - start).count();
  const double full = std::chrono::duration<double>(end - middle).count();
  RecordProperty("seconds_without_self_intersections", std::to_string(plain));
  RecordProperty("seconds", std::to_string(full));
  std::printf("1e6 triangles checked in %.2f s, with self-intersections in %.2f s\n", plain, full);
  EXPECT_LT(plain, 3);
  EXPECT_LT(full, 20);
}

}  // namespace
}  // namespace grouser::internal
