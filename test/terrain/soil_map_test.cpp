#include "terrain/soil_map.h"

#include <cmath>

#include <gtest/gtest.h>

#include "terrain/test_fields.h"

namespace grouser::internal {
namespace {

std::vector<Soil> three_soils() {
  return {find_soil("dry_sand"), find_soil("dlr_a"), find_soil("grc_1")};
}

std::vector<Vec2> box(double x0, double y0, double x1, double y1) {
  return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
}

TEST(SoilMap, OneSoilEverywhere) {
  const SoilMap map(find_soil("dlr_a"));
  EXPECT_EQ(map.at(1e9, -3).name, "dlr_a");
  EXPECT_EQ(map.index_at(NAN, 0), 0);
}

TEST(SoilMap, LaterZonesHoldOverEarlierOnesAndTheRaster) {
  const SoilRaster raster{.grid = {.origin = {0, 0}, .spacing = 1, .nx = 2, .ny = 2},
                          .soil = {0, 1, 2, 1}};
  const SoilMap map(three_soils(), {{"a", box(0, 0, 4, 4), 1}, {"b", box(2, 2, 6, 6), 2}}, raster);
  EXPECT_EQ(map.index_at(1, 1), 1);
  EXPECT_EQ(map.index_at(3, 3), 2);
  EXPECT_EQ(map.index_at(5, 5), 2);
  EXPECT_EQ(map.index_at(5, 1), 0);
  EXPECT_EQ(map.index_at(-0.1, 1.2), 2);  // beside the zones, nearest node (0, 1)
  EXPECT_EQ(map.at(3, 3).name, "grc_1");
}

TEST(SoilMap, RasterIsThatOfTheNearestNode) {
  const SoilRaster raster{.grid = {.origin = {10, 20}, .spacing = 2, .nx = 3, .ny = 2},
                          .soil = {0, 1, 2, 2, 1, 0}};
  const SoilMap map(three_soils(), {}, raster);
  EXPECT_EQ(map.index_at(11.9, 19.1), 1);
  EXPECT_EQ(map.index_at(11, 20), 1);  // halfway counts upwards
  EXPECT_EQ(map.index_at(10.99, 22.9), 2);
  EXPECT_EQ(map.index_at(14.9, 19.01), 2);
  EXPECT_EQ(map.index_at(15.1, 19.01), 0);  // beyond the raster
  EXPECT_EQ(map.index_at(8.9, 20), 0);
}

TEST(SoilMap, NamesAllThatIsWrong) {
  EXPECT_EQ(issues_of([] { SoilMap({}, {}); }).at(0).field, "soils");
  std::vector<Soil> soils = three_soils();
  soils[1].cohesion = -1;
  const std::vector<Issue> issues = issues_of([&] {
    SoilMap(soils, {{"a", box(0, 0, 1, 1), 3}, {"b", {{0, 0}, {1, 1}}, -1}},
            {.grid = {.spacing = 0, .nx = 2, .ny = 2}, .soil = {0, 1, 7}});
  });
  std::vector<std::string> fields;
  for (const Issue& issue : issues) fields.push_back(issue.field);
  EXPECT_EQ(fields, (std::vector<std::string>{"soils[1].cohesion", "zones[0].soil", "zones[1].soil",
                                              "zones[1].polygon", "raster.soil",
                                              "raster.grid.spacing", "raster.soil[2]"}));
}

}  // namespace
}  // namespace grouser::internal
