#include "scene/ground_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/log.h"
#include "support.h"

namespace grouser::internal {
namespace {

using testing::HasSubstr;

std::string scene_with_terrain(const std::string& terrain) {
  return "grouser: 1\nmodels:\n  - {name: m, tree: {bodies: [{name: b, mass: 1, "
         "shape: {sphere: {radius: 0.1}}}]}}\nterrain:\n" +
         terrain;
}

std::shared_ptr<const Ground> ground_of(const std::string& terrain) {
  return load_text(scene_with_terrain(terrain)).ground;
}

TEST(GroundReader, SceneWithoutTerrainHasNoGround) {
  EXPECT_EQ(load_text(scene_with_tree(
                          "      bodies: [{name: b, mass: 1, shape: {sphere: {radius: 1}}}]\n"))
                .ground,
            nullptr);
}

TEST(GroundReader, ProfileStandsWhereItWasDrawn) {
  const auto ground = ground_of(
      "  surface: {size: [8, 4], profile: {points: [[-4, 0], [0, 0], [1, 0.5], [4, 0.5]]}}\n"
      "  spacing: 0.02\n"
      "  soil: dlr_a\n");
  EXPECT_DOUBLE_EQ(ground->map.height(-2, 1), 0);
  EXPECT_DOUBLE_EQ(ground->map.height(0.5, -1), 0.25);
  EXPECT_DOUBLE_EQ(ground->map.at(0.5, 0).gradient.x(), 0.5);
  EXPECT_DOUBLE_EQ(ground->map.height(3, 0), 0.5);
  EXPECT_DOUBLE_EQ(ground->map.grid().spacing, 0.02);
  EXPECT_TRUE(ground->rocks.rocks.empty());
}

TEST(GroundReader, SoilIsAPresetWithChanges) {
  const auto ground = ground_of(
      "  surface: {noise: {rms_deviation: 0}}\n"
      "  soil: {preset: dlr_a, cohesion: 500, friction_angle_deg: 30}\n");
  const Soil& soil = ground->soils.at(0, 0);
  EXPECT_EQ(soil.cohesion, 500);
  EXPECT_DOUBLE_EQ(soil.friction_angle, std::numbers::pi / 6);
  EXPECT_EQ(soil.sinkage_exponent, find_soil("dlr_a").sinkage_exponent);
}

TEST(GroundReader, ZonesHaveSoilsOfTheirOwn) {
  const auto ground = ground_of(
      "  surface: {noise: {rms_deviation: 0}}\n"
      "  soil: dlr_a\n"
      "  zones:\n"
      "    - {name: pit, polygon: [[0, 0], [2, 0], [2, 2], [0, 2]], soil: dlr_d}\n");
  EXPECT_EQ(ground->soils.at(-1, -1).name, "dlr_a");
  EXPECT_EQ(ground->soils.at(1, 1).name, "dlr_d");
}

TEST(GroundReader, RasterOfClassesIsCentred) {
  const TemporaryFolder folder("soil_raster");
  // Four columns of 1 m: classes 0 0 1 1 from west to east.
  folder.write("soil.asc",
               "ncols 4\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n0 0 1 1\n0 0 1 1\n");
  const World world =
      load_text(scene_with_terrain("  surface: {noise: {rms_deviation: 0}}\n  soil: dlr_a\n"
                                   "  soil_raster: {file: soil.asc, soils: [dlr_a, dlr_d]}\n"),
                folder.path());
  EXPECT_EQ(world.ground->soils.at(-1, 0).name, "dlr_a");
  EXPECT_EQ(world.ground->soils.at(1, 0).name, "dlr_d");
}

TEST(GroundReader, RasterWithUnknownClassIsRefused) {
  const TemporaryFolder folder("soil_raster_bad");
  folder.write("soil.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n0 1\n0 7\n");
  try {
    load_text(scene_with_terrain("  surface: {noise: {rms_deviation: 0}}\n  soil: dlr_a\n"
                                 "  soil_raster: {file: soil.asc, soils: [dlr_a, dlr_d]}\n"),
              folder.path());
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("no class"));
    EXPECT_THAT(error.what(), HasSubstr("7"));
  }
}

TEST(GroundReader, RocksLieOnTheSurface) {
  const auto ground = ground_of(
      "  surface: {size: [20, 20], noise: {rms_deviation: 0.2}}\n"
      "  soil: dlr_a\n"
      "  rocks: {size: [10, 10], sizes: {site: pathfinder, min_diameter: 0.2}, seed: 4}\n");
  ASSERT_GT(ground->rocks.rocks.size(), 5u);
  for (const PlacedRock& rock : ground->rocks.rocks) {
    const double height = ground->map.height(rock.pose.p.x(), rock.pose.p.y());
    EXPECT_LT(std::abs(rock.pose.p.z() - height), rock.radius);
    EXPECT_LE(rock.pose.p.head<2>().cwiseAbs().maxCoeff(), 5);
  }
}

/// What is logged while a scene is read.
std::string logged(const std::string& text, const std::filesystem::path& folder = {}) {
  std::string all;
  set_log_sink([&](LogLevel, std::string_view message) { all += std::string(message) + "\n"; });
  load_text(text, folder);
  set_log_sink({});
  return all;
}

TEST(GroundReader, RocksWithoutRoomAreSaid) {
  EXPECT_THAT(logged(scene_with_terrain(
                  "  surface: {size: [3, 3], noise: {rms_deviation: 0}}\n  soil: dlr_a\n"
                  "  rocks: {size: [2, 2], gap: 1.5, sizes: {k: 0.3}}\n")),
              HasSubstr("found no room"));
}

TEST(GroundReader, RepairsOfAHeightMapAreSaid) {
  const TemporaryFolder folder("holes");
  folder.write("h.asc",
               "ncols 3\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -9999\n"
               "0 0 0\n0 -9999 0\n0 0 0\n");
  EXPECT_THAT(logged(scene_with_terrain("  surface: {height_map: {file: h.asc}}\n  soil: dlr_a\n"),
                     folder.path()),
              HasSubstr("h.asc: "));
}

TEST(GroundReader, AllMistakesAreReportedAtOnce) {
  const std::vector<Issue> issues = issues_of(
      scene_with_terrain("  surface: {size: [0, 1], noise: {hurst: 3}}\n  soil: nothing\n"));
  EXPECT_EQ(issues.size(), 3u);
}

TEST(GroundReader, OverviewGridIsFineButNotTooLarge) {
  const auto ground =
      ground_of("  surface: {size: [30, 10], noise: {rms_deviation: 0}}\n  soil: dlr_a\n");
  const GridSpec grid = overview_grid(ground->map, 301);
  EXPECT_EQ(grid.nx, 301);
  EXPECT_EQ(grid.ny, 101);
  EXPECT_DOUBLE_EQ(grid.spacing, 0.1);
  EXPECT_EQ(overview_grid(ground->map, 100000).spacing, ground->map.grid().spacing);
}

}  // namespace
}  // namespace grouser::internal
