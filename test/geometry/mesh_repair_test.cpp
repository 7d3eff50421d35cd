#include "geometry/mesh_repair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/rng.h"
#include "geometry/mass_properties.h"
#include "geometry/mesh_check.h"
#include "geometry/primitives.h"
#include "geometry/random_mesh.h"

namespace grouser::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Every triangle with vertices of its own, as in an STL file.
TriMesh soup(const TriMesh& mesh) {
  TriMesh result;
  for (const Triangle& t : mesh.triangles) {
    const auto first = static_cast<std::int32_t>(result.vertices.size());
    for (const std::int32_t vertex : t) result.vertices.push_back(mesh.vertices[vertex]);
    result.triangles.push_back({first, first + 1, first + 2});
  }
  return result;
}

TriMesh inverted(TriMesh mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t[0], t[1]);
  return mesh;
}

TriMesh moved(const TriMesh& mesh, const Vec3& by) { return transformed({.p = by}, mesh); }

TEST(MeshRepair, LeavesSolidsAlone) {
  for (const TriMesh& mesh :
       {box_mesh({1, 2, 3}, 3), sphere_mesh(1, 4), torus_mesh(1, 0.3, 12, 8)}) {
    TriMesh repaired = mesh;
    EXPECT_THAT(repair_mesh(repaired), IsEmpty());
    EXPECT_EQ(repaired.vertices, mesh.vertices);
    EXPECT_EQ(repaired.triangles, mesh.triangles);
  }
}

TEST(MeshRepair, JoinsASoup) {
  const TriMesh box = box_mesh({1, 2, 3}, 2);
  TriMesh mesh = soup(box);
  EXPECT_THAT(repair_mesh(mesh), ElementsAre("joined 118 vertices at the same position"));
  EXPECT_EQ(mesh.vertices.size(), box.vertices.size());
  EXPECT_TRUE(check_mesh(mesh).solid());
  EXPECT_EQ(mesh.triangles[0], (Triangle{0, 1, 2}));  // in order of first mention
}

TEST(MeshRepair, DropsWhatIsRepeatedOrUnused) {
  TriMesh mesh = box_mesh({1, 1, 1});
  mesh.triangles.push_back(mesh.triangles[5]);
  mesh.triangles.push_back({3, 3, 1});
  mesh.vertices.push_back({7, 7, 7});
  EXPECT_THAT(repair_mesh(mesh),
              ElementsAre("removed 1 degenerate triangle",
                          "dropped 1 triangle that repeated another", "dropped 1 unused vertex"));
  EXPECT_TRUE(check_mesh(mesh).solid());
}

// A T-junction closed by a triangle without area: dropping it would open the surface.
TEST(MeshRepair, RemovesSliversWithoutTearing) {
  // Tetrahedron whose edge 0-1 has a middle vertex 4 on one side only.
  TriMesh mesh{{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 0, 0}},
               {{0, 2, 4}, {4, 2, 1}, {0, 4, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
  ASSERT_TRUE(check_mesh(mesh).watertight());
  ASSERT_EQ(check_mesh(mesh).degenerate_triangles, 1U);
  EXPECT_THAT(repair_mesh(mesh), ElementsAre("removed 1 degenerate triangle"));
  const MeshReport report = check_mesh(mesh);
  EXPECT_TRUE(report.solid()) << to_text(report);
  EXPECT_EQ(report.triangles, 6U);
  EXPECT_NEAR(report.volume, 8.0 / 6, 1e-15);  // measured 0
}

TEST(MeshRepair, RemovesChainsOfSlivers) {
  // The same edge with three vertices on one side, joined to it by a fan of slivers.
  TriMesh mesh{{{0, 0, 0}, {4, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}},
               {{0, 2, 4},
                {4, 2, 5},
                {5, 2, 6},
                {6, 2, 1},
                {0, 4, 5},
                {0, 5, 6},
                {0, 6, 1},
                {0, 1, 3},
                {0, 3, 2},
                {1, 2, 3}}};
  ASSERT_TRUE(check_mesh(mesh).watertight());
  EXPECT_THAT(repair_mesh(mesh), ElementsAre("removed 3 degenerate triangles"));
  const MeshReport report = check_mesh(mesh);
  EXPECT_TRUE(report.solid()) << to_text(report);
  EXPECT_NEAR(report.volume, 16.0 / 6, 1e-15);  // measured 0
}

TEST(MeshRepair, JoinsCornersThatRoundingSeparates) {
  TriMesh mesh = soup(sphere_mesh(1, 3));
  repair_mesh(mesh);
  // A hair-thin slit: one corner of one triangle is off by a rounding error and two needles fill
  // it.
  const Triangle t = mesh.triangles[0];
  const auto twin = static_cast<std::int32_t>(mesh.vertices.size());
  mesh.vertices.push_back(mesh.vertices[t[0]] * (1 + 2e-16));
  mesh.triangles[0][0] = twin;
  mesh.triangles.push_back({t[0], t[1], twin});
  mesh.triangles.push_back({t[0], twin, t[2]});
  ASSERT_TRUE(check_mesh(mesh).watertight());
  ASSERT_EQ(check_mesh(mesh).degenerate_triangles, 2U);
  repair_mesh(mesh);
  EXPECT_TRUE(check_mesh(mesh).solid());
  EXPECT_EQ(mesh.triangles.size(), 180U);
}

TEST(MeshRepair, TurnsAnyMixtureOfOrientations) {
  CounterRng rng(3);
  TriMesh mesh = torus_mesh(1, 0.3, 16, 10);
  const TriMesh torus = mesh;
  std::size_t turned = 0;
  for (Triangle& t : mesh.triangles) {
    if (rng.uniform() < 0.5) continue;
    std::swap(t[1], t[2]);
    ++turned;
  }
  EXPECT_THAT(repair_mesh(mesh),
              ElementsAre(testing::StartsWith("turned " + std::to_string(turned) + " triangles")));
  EXPECT_EQ(mesh.triangles, torus.triangles);
}

TEST(MeshRepair, TurnsPiecesInsideOut) {
  const TriMesh box = box_mesh({1, 1, 1});
  TriMesh mesh = together(box, moved(inverted(box), {3, 0, 0}));
  repair_mesh(mesh);
  EXPECT_NEAR(solid_properties(mesh).volume, 2, 1e-14);  // measured 0
  mesh = together(inverted(box), moved(inverted(box), {3, 0, 0}));
  mesh = together(mesh, moved(box, {6, 0, 0}));
  repair_mesh(mesh);
  EXPECT_NEAR(solid_properties(mesh).volume, 3, 1e-14);  // measured 0
}

TEST(MeshRepair, KeepsCavities) {
  TriMesh hollow = together(box_mesh({3, 3, 3}), inverted(sphere_mesh(1, 3)));
  const double volume = solid_properties(hollow).volume;
  ASSERT_LT(volume, 27);
  TriMesh inside_out = inverted(hollow);
  EXPECT_THAT(repair_mesh(hollow), IsEmpty());
  EXPECT_FALSE(repair_mesh(inside_out).empty());
  EXPECT_NEAR(solid_properties(inside_out).volume, volume, 1e-13);  // measured 0
}

TEST(MeshRepair, RemovesTheWallBetweenTouchingSolids) {
  TriMesh mesh = soup(together(box_mesh({1, 1, 1}), moved(box_mesh({1, 1, 1}), {1, 0, 0})));
  repair_mesh(mesh);
  const MeshReport report = check_mesh(mesh);
  EXPECT_TRUE(report.solid()) << to_text(report);
  EXPECT_EQ(report.triangles, 20U);
  EXPECT_EQ(report.volume, 2);
}

TEST(MeshRepair, KeepsOneSideOfATwoSidedSheet) {
  TriMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}};
  EXPECT_THAT(repair_mesh(mesh), ElementsAre("dropped 1 triangle that repeated another"));
  EXPECT_THAT(mesh.triangles, ElementsAre(Triangle{0, 1, 2}));
}

TEST(MeshRepair, LeavesOpenAndOneSidedSurfacesAlone) {
  TriMesh open = box_mesh({1, 1, 1});
  open.triangles.pop_back();
  std::swap(open.triangles[0][0], open.triangles[0][1]);
  const std::vector<Triangle> before = open.triangles;
  EXPECT_THAT(repair_mesh(open), IsEmpty());
  EXPECT_EQ(open.triangles, before);
  // The projective plane on six vertices: closed, but without an inside.
  TriMesh plane{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 2}, {2, 1, 1}},
                {{0, 1, 2},
                 {0, 2, 3},
                 {0, 3, 4},
                 {0, 4, 5},
                 {0, 5, 1},
                 {1, 2, 4},
                 {2, 3, 5},
                 {3, 4, 1},
                 {4, 5, 2},
                 {5, 1, 3}}};
  ASSERT_TRUE(check_mesh(plane, {.self_intersections = false}).watertight());
  EXPECT_THAT(repair_mesh(plane), IsEmpty());
}

TEST(MeshRepair, TakesNothing) {
  TriMesh mesh;
  EXPECT_THAT(repair_mesh(mesh), IsEmpty());
}

}  // namespace
}  // namespace grouser::internal
