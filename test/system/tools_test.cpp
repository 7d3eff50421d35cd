// What the program's smaller commands print: map, rovers and scenes of a name, columns of identify.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "system/program.h"

namespace grouser::internal {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json json_of(const std::vector<std::string>& arguments) {
  const ProgramResult result = run_program(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return json::parse(result.out);
}

TEST(MapCommand, DrawsScenesWithTheirWaypoints) {
  const TemporaryFolder folder;
  const std::string picture = (folder / "m.png").string();
  const json map = json_of({"map", "default", "-o", picture, "--size", "300", "--json"});
  EXPECT_EQ(map["file"], picture);
  EXPECT_EQ(map["x_m"], json({-3.5, 3.5}));
  EXPECT_EQ(map["y_m"], json({-2.5, 2.5}));
  ASSERT_EQ(map["marks"].size(), 4u);
  EXPECT_EQ(map["marks"][0]["name"], "start");
  EXPECT_NEAR(map["marks"][0]["x_m"].get<double>(), -2.2, 1e-6);
  EXPECT_EQ(map["marks"][3]["x_m"], 1.4);
  EXPECT_GT(map["slope_deg"]["max"].get<double>(), 1);
  EXPECT_LT(map["height_m"]["min"].get<double>(), map["height_m"]["max"].get<double>());
  EXPECT_EQ(read_text(picture).substr(1, 3), "PNG");
}

TEST(MapCommand, DrawsTheTerrainOfASceneThatIsNotInOrderYet) {
  const TemporaryFolder folder;
  const std::string scene = folder.write("s.yaml",
                                         "grouser: 1\nterrain: {surface: {size: [4, 4], profile: "
                                         "{points: [[-2, 0], [2, 8]]}}, soil: dry_sand}\n"
                                         "models: [{name: r, rover: mmx, place: {at: [0, "
                                         "0]}}]\ncontacts: [{model: scm, wheels: all}]\n");
  const ProgramResult result = run_program(
      {"map", scene, "-o", (folder / "m.png").string(), "--quantity", "slope", "--json"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("roll over"));
  EXPECT_NEAR(json::parse(result.out)["slope_deg"]["mean"].get<double>(), 63.43, 0.01);  // atan 2
}

TEST(MapCommand, DrawsElevationModelsAndSurfaces) {
  const TemporaryFolder folder;
  const std::string grid = folder.write("d.asc",
                                        "ncols 3\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 2\n"
                                        "0 1 2\n0 1 2\n0 1 2\n");
  const json dem = json_of({"map", grid, "-o", (folder / "d.png").string(), "--json"});
  EXPECT_NEAR(dem["slope_deg"]["mean"].get<double>(), 26.565, 0.5);  // 1 in 2
  EXPECT_NEAR(dem["height_m"]["max"].get<double>(), 2, 0.01);
  const std::string surface = folder.write("s.yaml", "grouser: 1\nsurface: {size: [2, 1]}\n");
  EXPECT_EQ(json_of({"map", surface, "-o", (folder / "s.png").string(), "--json"})["x_m"],
            json({-1, 1}));
  EXPECT_EQ(run_program({"map", "no_such"}).exit_code, 2);
  EXPECT_EQ(run_program({"map", (folder / "none.tif").string()}).exit_code, 4);
  EXPECT_EQ(run_program({"map", "pendulum"}).exit_code, 2);  // has no terrain
  EXPECT_EQ(run_program({"map", "default", "--quantity", "colour"}).exit_code, 1);
}

TEST(RoversCommand, ShowsWhatARoverHolds) {
  const json rover = json_of({"rovers", "four_wheel", "--json"});
  EXPECT_EQ(rover["wheels"].size(), 4u);
  EXPECT_NEAR(rover["mass_kg"].get<double>(), 73, 1e-9);
  const ProgramResult text = run_program({"rovers", "rocker_bogie"});
  EXPECT_EQ(text.exit_code, 0);
  for (const char* part : {"899 kg", "0.254", "left_bogie", "-40 ... 40 deg", "differential"}) {
    EXPECT_THAT(text.out, HasSubstr(part));
  }
  const ProgramResult wrong = run_program({"rovers", "rocker_boggie"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean 'rocker_bogie'"));
  EXPECT_EQ(run_program({"rovers", "none.yaml"}).exit_code, 2);
}

TEST(ScenesCommand, ShowsWhatASceneHolds) {
  const json scene = json_of({"scenes", "terra", "--json"});
  EXPECT_EQ(scene["duration_s"], 40);
  EXPECT_EQ(scene["terrain"]["zones"][0]["name"], "drift");
  EXPECT_GT(scene["cost"]["real_time_factor"].get<double>(), 0);
  const ProgramResult text = run_program({"scenes", "default"});
  for (const char* part : {"moreau_jean", "dry_sand", "3 waypoints", "takes about"}) {
    EXPECT_THAT(text.out, HasSubstr(part));
  }
  EXPECT_THAT(run_program({"scenes", "defalt"}).err, HasSubstr("did you mean 'default'"));
}

TEST(IdentifyCommand, TakesColumnsUnitsAndDecimalCommas) {
  const TemporaryFolder folder;
  // p = k z with k = 1e6 Pa/m, plates of two sizes: n = 1, k_c = 0.
  std::string points = "versuch;D;z [mm];p\n",
              normal = "trial,plate_diameter_mm,sinkage_mm,pressure_kPa\n";
  for (const char* size : {"100", "200"}) {
    for (int k = 1; k <= 20; ++k) {
      const std::string z = std::to_string(k) + (k % 2 == 0 ? ".5" : ".25");
      std::string comma = z;
      comma[comma.find('.')] = ',';
      points += std::string("v") + size + ";" + size + ";" + comma + ";" + comma + "\n";
      normal += std::string("v") + size + "," + size + "," + z + "," + z + "\n";
    }
  }
  const std::string german = folder.write("g.csv", points), plain = folder.write("p.csv", normal);
  const std::string out = (folder / "out").string();
  const json a = json_of({"identify", "soil", plain, "-o", out, "--json"});
  const json b =
      json_of({"identify", "soil", german, "-o", out, "--json", "--column", "trial=versuch",
               "--column", "plate_diameter=D", "--unit", "plate_diameter=mm", "--column",
               "sinkage=z [mm]", "--column", "pressure=p", "--unit", "pressure=kPa"});
  EXPECT_EQ(a["plates"], b["plates"]);
  EXPECT_NEAR(b["plates"]["sinkage_exponent"]["value"].get<double>(), 1, 1e-6);
  const ProgramResult wrong = run_program({"identify", "soil", german, "--column", "pressure=q"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("no such column"));
  EXPECT_EQ(run_program({"identify", "soil", german, "--unit", "pressure=mm"}).exit_code, 1);
}

TEST(RigCommand, TakesThreadsAndOwnRovers) {
  const TemporaryFolder folder;
  const std::string scene =
      folder.write("s.yaml", "grouser: 1\nmodels: [{name: r, rover: four_wheel}]\n");
  const std::vector<std::string> rest = {"--slopes", "0",      "5",  "--distance",
                                         "0.5",      "--json", "-o", (folder / "o").string()};
  std::vector<std::string> one = {"rig", "slope", "--rover", scene, "--threads", "1"};
  std::vector<std::string> two = {"rig", "slope", "--rover", "four_wheel", "--threads", "2"};
  one.insert(one.end(), rest.begin(), rest.end());
  two.insert(two.end(), rest.begin(), rest.end());
  const json a = json_of(one), b = json_of(two);
  EXPECT_EQ(a["models"], b["models"]);
  EXPECT_TRUE(a["models"]["terra"][0].contains("steady"));
}

}  // namespace
}  // namespace grouser::internal
