#include "assets/surface.h"

#include <cmath>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/rng.h"
#include "geometry/mesh_check.h"
#include "support/temporary_folder.h"
#include "terrain/profile_field.h"

namespace grouser::internal {
namespace {

using testing::HasSubstr;
using HeightMapTest = TemporaryFolderTest;

TEST(Surface, NothingGivenIsAPlane) {
  const auto surface = make_surface({});
  EXPECT_EQ(surface->domain().lower, Vec2(-5, -5));
  EXPECT_EQ(surface->domain().upper, Vec2(5, 5));
  for (const double x : {-5.0, -1.3, 0.0, 4.9}) {
    EXPECT_EQ(surface->at(x, 2).height, 0);
    EXPECT_EQ(surface->at(x, 2).gradient, Vec2(0, 0));
  }
  SurfaceSpec spec;
  spec.noise.emplace();
  EXPECT_NE(make_surface(spec)->at(1, 2).height, 0);  // noise is there if it is asked for
}

// Exact: the same sums as of the parts, bit for bit.
TEST(Surface, IsTheSumOfItsParts) {
  SurfaceSpec spec{.size = {12, 8}};
  spec.profile = ProfileSpec{.points = {{-1, 0}, {1, 0.5}}, .direction_deg = 30, .smooth = true};
  spec.noise = NoiseSpec{.seed = 3};
  spec.craters = {{.position = {2, 1}, .diameter = 3}};
  spec.random_craters = RandomCratersSpec{.coefficient = 0.1};
  const auto surface = make_surface(spec);
  const Rect domain = surface->domain();
  const ProfileField profile({.points = spec.profile->points,
                              .direction = std::acos(-1) / 6,
                              .smooth = true,
                              .domain = domain});
  const NoiseField noise(*spec.noise, domain);
  std::vector<CraterSpec> all = spec.craters;
  std::ranges::copy(random_craters(*spec.random_craters, domain), std::back_inserter(all));
  EXPECT_GT(all.size(), 5u);
  const CraterField craters(all, domain);
  CounterRng rng(1);
  for (int i = 0; i < 200; ++i) {
    const double x = rng.uniform(-6, 6), y = rng.uniform(-4, 4);
    const SurfacePoint a = profile.at(x, y), b = noise.at(x, y), c = craters.at(x, y);
    EXPECT_NEAR(surface->at(x, y).height, a.height + b.height + c.height, 1e-15);  // measured 0
    EXPECT_NEAR((surface->at(x, y).gradient - a.gradient - b.gradient - c.gradient).norm(), 0,
                1e-15);  // measured 5e-17
  }
}

TEST_F(HeightMapTest, HeightMapsKeepTheirScaleAroundTheOrigin) {
  std::ofstream(folder_ / "map.asc") << "ncols 4\nnrows 3\nxllcorner 100\nyllcorner 200\n"
                                        "cellsize 2\nNODATA_value -9999\n"
                                        "10 11 12 13\n20 21 22 23\n30 31 32 36\n";
  SurfaceSpec spec;
  spec.height_map = HeightMapSpec{.file = (folder_ / "map.asc").string()};
  const auto surface = make_surface(spec);
  // Nodes are the middles of the cells: 3 x 2 steps of 2 m.
  EXPECT_EQ(surface->domain().lower, Vec2(-3, -2));
  EXPECT_EQ(surface->domain().upper, Vec2(3, 2));
  EXPECT_NEAR(surface->at(-3, -2).height, 30, 1e-12);  // the file's last row is the southern one
  EXPECT_NEAR(surface->at(3, 2).height, 13, 1e-12);
  spec.height_map->height_scale = 0.5;
  spec.height_map->centre_height = true;
  EXPECT_NEAR(make_surface(spec)->at(-3, -2).height, 0.5 * (30 - 23), 1e-12);
  // Noise on a height map takes over its domain.
  spec.noise = NoiseSpec{.rms_deviation = 0.01, .lag = 0.5};
  EXPECT_EQ(make_surface(spec)->domain().lower, Vec2(-3, -2));
}

TEST(Surface, ValidationFindsWhatDoesNotFit) {
  SurfaceSpec spec{.size = {3, 1}};
  spec.profile = ProfileSpec{.points = {{1, 0}, {0, 0}}};
  spec.noise = NoiseSpec{.lag = 0.8};
  spec.random_craters = RandomCratersSpec{.min_diameter = 3, .max_diameter = 2};
  try {
    validate(spec, "surface");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("surface.profile.points: distances must rise"));
    EXPECT_THAT(error.what(), HasSubstr("surface.noise.lag: the surface is too small"));
    EXPECT_THAT(error.what(), HasSubstr("surface.random_craters.min_diameter: not below"));
  }
}

TEST(SurfaceGrid, FillsTheDomain) {
  const auto surface = make_surface({.size = {10, 5}});
  const GridSpec grid = surface_grid(*surface, 0.3);
  EXPECT_EQ(grid.origin, Vec2(-5, -2.5));
  EXPECT_EQ(grid.nx, 35);  // 34 steps are the fewest of at most 0.3 m
  EXPECT_NEAR(grid.rect().upper.x(), 5, 1e-12);
  EXPECT_NEAR(grid.rect().upper.y(), 2.5, grid.spacing);
  EXPECT_LE(grid.rect().upper.y(), 2.5 + 1e-12);
  EXPECT_THROW(surface_grid(*surface, 0), Error);
  EXPECT_THROW(surface_grid(*surface, 1e-4), Error);
}

TEST(SurfaceMesh, IsAnOpenSheetOnTheSurface) {
  const auto surface = make_surface({});
  const GridSpec grid = surface_grid(*surface, 0.25);
  const TriMesh mesh = surface_mesh(*surface, grid);
  ASSERT_EQ(mesh.vertices.size(), 41u * 41u);
  ASSERT_EQ(mesh.triangles.size(), 2u * 40u * 40u);
  const MeshReport report = check_mesh(mesh, {.self_intersections = false});
  EXPECT_EQ(report.open_edges, 160u);
  EXPECT_EQ(report.pieces, 1u);
  EXPECT_TRUE(report.oriented());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) EXPECT_GT(area_vector(mesh, t).z(), 0);
  for (const Vec3& p : mesh.vertices) EXPECT_EQ(p.z(), surface->at(p.x(), p.y()).height);
  double area = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) area += area_vector(mesh, t).z();
  EXPECT_NEAR(area, 100, 1e-10);  // measured 0
}

}  // namespace
}  // namespace grouser::internal
