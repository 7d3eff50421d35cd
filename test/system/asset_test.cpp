// What `grouser asset`, `soils` and `snapshot` do for a user.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "geometry/mesh_check.h"
#include "geometry/mesh_file.h"
#include "system/program.h"

namespace grouser::internal {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;
namespace fs = std::filesystem;

json asset_json(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "asset");
  arguments.emplace_back("--json");
  const ProgramResult result = run_program(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return json::parse(result.out, nullptr, false);
}

bool is_png(const fs::path& file) { return read_text(file).starts_with("\x89PNG\r\n"); }

TEST(Asset, WheelIsAClosedSolidNamedByItsId) {
  const TemporaryFolder folder;
  const std::string out = (folder / "assets").string();
  const json first = asset_json({"wheel", "--grousers.style", "chevron", "-o", out, "--preview",
                                 (folder / "wheel.png").string()});
  EXPECT_EQ(first["file"],
            (fs::path(out) / ("wheel_" + first["id"].get<std::string>() + ".obj")).string());
  EXPECT_FALSE(first["existed"]);
  EXPECT_TRUE(is_png(folder / "wheel.png"));
  const MeshReport report = check_mesh(read_mesh(first["file"].get<std::string>()).mesh);
  EXPECT_TRUE(report.solid());
  EXPECT_NEAR(report.volume, first["volume_m3"], 1e-12);
  EXPECT_EQ(report.triangles, first["triangles"]);
  EXPECT_TRUE(asset_json({"wheel", "--grousers.style", "chevron", "-o", out})["existed"]);
  EXPECT_NE(asset_json({"wheel", "--radius", "0.13", "-o", out})["id"], first["id"]);
}

TEST(Asset, FlagsComeOnTopOfTheFile) {
  const TemporaryFolder folder;
  const std::string spec =
      folder.write("w.yaml", "grouser: 1\nwheel: {radius: 0.2, grousers: {count: 10}}\n");
  const auto id = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"-o", (folder / "out").string()});
    return asset_json(arguments)["id"];
  };
  EXPECT_EQ(id({"wheel", spec}), id({"wheel", "--radius", "0.2", "--grousers.count", "10"}));
  EXPECT_EQ(id({"wheel", spec, "--radius", "0.129", "--grousers.count", "24"}), id({"wheel"}));
}

TEST(Asset, SameBytesForAnyNumberOfRuns) {
  const TemporaryFolder folder;
  for (const char* kind : {"wheel", "rock", "surface", "rocks"}) {
    for (const char* name : {"a.obj", "b.obj"}) asset_json({kind, "-o", (folder / name).string()});
    const std::string bytes = read_text(folder / "a.obj");
    EXPECT_GT(bytes.size(), 1000u);
    EXPECT_TRUE(bytes == read_text(folder / "b.obj")) << kind;
  }
}

TEST(Asset, RocksLieOnTheirSurfaceWithFilesOfTheirOwn) {
  const TemporaryFolder folder;
  const std::string surface =
      folder.write("s.yaml", "grouser: 1\nsurface: {size: [8, 8], noise: {rms_deviation: 0.1}}\n");
  const json rocks =
      asset_json({"rocks", "--size", "6", "6", "--surface", surface, "--dynamic", "-o",
                  (folder / "out").string(), "--preview", (folder / "r.png").string()});
  EXPECT_TRUE(is_png(folder / "r.png"));
  const fs::path manifest(rocks["dynamic"].get<std::string>());
  const json list = json::parse(read_text(manifest));
  ASSERT_EQ(list["rocks"].size(), rocks["rocks"]);
  ASSERT_FALSE(list["rocks"].empty());
  const fs::path rock = manifest.parent_path() / list["rocks"][0]["file"].get<std::string>();
  EXPECT_TRUE(check_mesh(read_mesh(rock).mesh).solid());
  EXPECT_GT(list["rocks"][0]["mass"], 0);
}

TEST(Asset, MistakesNameTheFlagAndTheRange) {
  const auto complaint = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "asset");
    const ProgramResult result = run_program(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.out;
    return result.err;
  };
  EXPECT_THAT(complaint({"wheel", "--radius", "-1"}),
              testing::AllOf(HasSubstr("--radius"), HasSubstr("-1"), HasSubstr("[m]")));
  EXPECT_THAT(complaint({"wheel", "--profile", "flatt"}), HasSubstr("did you mean 'flat'"));
  EXPECT_THAT(complaint({"wheel", "--grousers.count", "1000", "--grousers.thickness", "0.1"}),
              HasSubstr("grousers"));
  EXPECT_THAT(complaint({"rock", "--dimensions", "1", "x", "1"}), HasSubstr("--dimensions"));
  const ProgramResult missing =
      run_program({"asset", "surface", "--height-map.file", "no_such.tif"});
  EXPECT_EQ(missing.exit_code, 4);
  EXPECT_THAT(missing.err, HasSubstr("no_such.tif"));
  EXPECT_EQ(run_program({"asset", "wheel", "--raduis", "1"}).exit_code, 1);
  EXPECT_EQ(run_program({"asset"}).exit_code, 1);
}

TEST(Asset, MistakesInAFileHaveTheirLine) {
  const TemporaryFolder folder;
  const std::string spec =
      folder.write("w.yaml", "grouser: 1\nwheel:\n  radius: 0.1\n  widht: 0.1\n");
  const ProgramResult result = run_program({"asset", "wheel", spec});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, testing::AllOf(HasSubstr("w.yaml:4"), HasSubstr("width")));
}

TEST(Asset, CheckSaysWhatIsWrongWithAMesh) {
  const TemporaryFolder folder;
  const std::string open =
      folder.write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n");
  const ProgramResult words = run_program({"asset", "check", open});
  EXPECT_EQ(words.exit_code, 0);
  EXPECT_THAT(words.out, testing::AllOf(HasSubstr("not a closed solid"), HasSubstr("open edges")));
  EXPECT_EQ(asset_json({"check", open})["open_edges"], 3);
  const std::string broken = folder.write("broken.obj", "v 0 0 0\nf 1 2 3\n");
  const ProgramResult refused = run_program({"asset", "check", broken});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("broken.obj:2"));
}

TEST(Soils, AreListedWithTheirSources) {
  const json soils = json::parse(run_program({"soils", "--json"}).out)["soils"];
  EXPECT_GE(soils.size(), 20u);
  for (const json& soil : soils) EXPECT_FALSE(soil["source"].get<std::string>().empty());
  EXPECT_THAT(run_program({"soils", "dlr_a"}).out,
              testing::AllOf(HasSubstr("2370"), HasSubstr("source")));
  const ProgramResult unknown = run_program({"soils", "dlr_x"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean"));
}

TEST(Snapshot, DrawsARunWithItsGround) {
  const TemporaryFolder folder;
  const std::string scene = folder.write(
      "s.yaml",
      "grouser: 1\nduration: 0.2\nterrain: {surface: {size: [6, 6]}, soil: dlr_a, "
      "rocks: {size: [3, 3]}}\nmodels: [{name: m, rover: four_wheel, position: [0, 0, 1]}]\n");
  const std::string run = (folder / "run").string();
  ASSERT_EQ(run_program({"run", scene, "-o", run}).exit_code, 0);
  const auto shot = [&](const std::string& time, const std::string& name) {
    const ProgramResult result = run_program({"snapshot", run, "--at", time, "--width", "160",
                                              "--height", "100", "-o", (folder / name).string()});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return read_text(folder / name);
  };
  const std::string start = shot("0", "a.png");
  EXPECT_THAT(start, StartsWith("\x89PNG"));
  EXPECT_TRUE(start == shot("0", "b.png"));
  EXPECT_FALSE(start == shot("0.2", "c.png"));  // it has fallen a little
  const ProgramResult late = run_program({"snapshot", run, "--at", "5"});
  EXPECT_EQ(late.exit_code, 2);
  EXPECT_THAT(late.err, HasSubstr("0 ... 0.2"));
}

TEST(Soils, ColumnsOfTheTableStayApart) {
  std::istringstream table(run_program({"soils"}).out);
  const json soils = json::parse(run_program({"soils", "--json"}).out)["soils"];
  std::string line;
  std::getline(table, line);
  std::getline(table, line);  // units
  for (const json& soil : soils) {
    std::getline(table, line);
    std::istringstream words(line);
    std::string name;
    double n = 0, k_c = 0, k_phi = 0, c = 0;
    words >> name >> n >> k_c >> k_phi >> c;
    EXPECT_EQ(name, soil["name"]) << line;
    EXPECT_NEAR(n, soil["sinkage_exponent"].get<double>(), 5e-4 * n) << line;
    EXPECT_NEAR(k_phi, soil["frictional_modulus"].get<double>(), 5e-4 * k_phi) << line;
    EXPECT_NEAR(c, soil["cohesion"].get<double>(), 5e-4 * c) << line;
    EXPECT_THAT(line, HasSubstr("  " + soil["description"].get<std::string>()));
  }
}

}  // namespace
}  // namespace grouser::internal
