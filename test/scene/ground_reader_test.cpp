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

TEST(GroundReader, RocksLieAroundTheirPosition) {
  const std::string before = "  surface: {size: [8, 6]}\n  soil: dlr_a\n  rocks: {size: [2, 1], ";
  const std::string after = "sizes: {k: 0.3, min_diameter: 0.1}}\n";
  const auto middle = ground_of(before + after);
  const auto moved = ground_of(before + "position: [3, -2.5], " + after);
  ASSERT_GT(middle->rocks.rocks.size(), 5u);
  ASSERT_EQ(moved->rocks.rocks.size(), middle->rocks.rocks.size());
  for (std::size_t r = 0; r < middle->rocks.rocks.size(); ++r) {
    const Vec3 shift = moved->rocks.rocks[r].pose.p - middle->rocks.rocks[r].pose.p;
    EXPECT_NEAR(shift.x(), 3, 1e-12);
    EXPECT_NEAR(shift.y(), -2.5, 1e-12);
  }
}

TEST(GroundReader, RocksBeyondTheTerrainAreRefused) {
  const std::string before =
      scene_with_terrain("  surface: {size: [8, 6]}\n  soil: dlr_a\n  rocks:\n    size: [2, 1]\n");
  const auto issues = issues_of(before + "    position: [3.1, 0]\n");
  ASSERT_EQ(issues.size(), 1u);
  EXPECT_EQ(issues[0].field, "terrain.rocks.position");
  EXPECT_EQ(issues[0].line, 9);
  EXPECT_THAT(issues[0].message, HasSubstr("beyond the terrain"));
  EXPECT_EQ(issues[0].legal, "x -3 ... 3, y -2.5 ... 2.5 [m]");
  EXPECT_EQ(issues_of(before + "    position: [1]\n").size(), 1u);
  EXPECT_EQ(issues_of(before + "    position: [.inf, 0]\n").size(), 1u);
}

TEST(GroundReader, SoilFromAFile) {
  const TemporaryFolder folder("soil_file");
  const std::string map = "{preset: dlr_a, name: mine, cohesion: 500}";
  folder.write("soils/mine.yaml", "grouser: 1\nsoil: " + map + "\n");
  const auto load = [&](const std::string& soil) {
    return load_text(
        scene_with_terrain("  surface: {size: [4, 4]}\n  soil: dry_sand\n  zones: [{polygon: "
                           "[[0, 0], [1, 0], [1, 1]], soil: " +
                           soil + "}]\n"),
        folder.path());
  };
  const World world = load("soils/mine.yaml");
  EXPECT_EQ(world.ground->soils.at(0.7, 0.3).name, "mine");
  EXPECT_EQ(world.ground->soils.at(0.7, 0.3).cohesion, 500);
  EXPECT_EQ(world.ground->soils.at(-1, 0).name, "dry_sand");

  const auto issue = [&](const std::string& soil) {
    try {
      load(soil);
    } catch (const Error& error) {
      return error.issues().front();
    }
    return Issue{.message = "accepted"};
  };
  EXPECT_EQ(issue("soils/none.yaml").file, "test.yaml");
  EXPECT_EQ(issue("soils/none.yaml").line, 7);
  EXPECT_THAT(issue("soils/none.yaml").message, HasSubstr("none.yaml"));
  folder.write("bad.yaml", "soil:\n  preset: dlr_a\n  cohesion: -3\n");
  EXPECT_THAT(issue("bad.yaml").file, HasSubstr("bad.yaml"));
  EXPECT_EQ(issue("bad.yaml").line, 3);
  folder.write("loop.yaml", "soil: loop.yaml\n");
  EXPECT_THAT(issue("loop.yaml").message, HasSubstr("not name another file"));
  folder.write("empty.yaml", "grouser: 1\n");
  EXPECT_NE(issue("empty.yaml").message, "accepted");
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
