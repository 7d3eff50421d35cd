// From a stranger's robot file to a drive, as a user goes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/sanitized.h"
#include "system/program.h"

namespace grouser::internal {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const std::string kRocker =
    (std::filesystem::path(GROUSER_SOURCE_DIR) / "test/data/robots/rocker.urdf.xacro").string();

class UrdfCommand : public testing::TestWithParam<const char*> {};

// 13 kg on four wheels, its mass in the middle but for the mast: each bears about a quarter.
TEST_P(UrdfCommand, RoverDrivesAtOnce) {
  const TemporaryFolder folder;
  const std::string scene = (folder / "rocker.yaml").string();
  const json made = json_of({"urdf", kRocker, "-o", scene, "--ground", GetParam(), "--json"});
  ASSERT_TRUE(made.is_object());
  ASSERT_EQ(made["wheels"].size(), 4u);
  EXPECT_EQ(made["wheels"][0]["radius_m"], 0.1);
  EXPECT_TRUE(std::filesystem::file_size(folder / "rocker.png") > 10'000);
  double loads = 0;
  for (const json& wheel : made["wheels"]) loads += wheel["load_N"].get<double>();
  EXPECT_NEAR(loads, made["weight_N"].get<double>(), 0.03 * made["weight_N"].get<double>());
  ASSERT_EQ(made["warnings"].size(), 1u) << made["warnings"];
  EXPECT_THAT(made["warnings"][0].get<std::string>(), HasSubstr("package://rocker_description"));

  const double duration = unless_sanitized(8.0, 2.0);
  const json run = json_of({"run", scene, "-o", (folder / "out").string(), "--duration",
                            std::to_string(duration), "--json"});
  ASSERT_TRUE(run.is_object());
  EXPECT_EQ(run["outcome"], "completed");
  // It stands for a second and takes two to reach 0.1 m/s.
  const double way = 0.1 * (duration - 2);
  if (duration > 3) {
    EXPECT_NEAR(run["distance_m"].get<double>(), way, 0.15 * way) << run;
  }
  for (const json& wheel : run["wheels"]) {
    EXPECT_LT(std::abs(wheel["slip_mean"].get<double>()), 0.15) << wheel;
    EXPECT_NEAR(wheel["normal_mean_N"].get<double>(), made["weight_N"].get<double>() / 4, 8)
        << wheel;
  }
}

INSTANTIATE_TEST_SUITE_P(Grounds, UrdfCommand, testing::Values("scm", "terra", "hard"));

TEST(UrdfMistakes, AreTold) {
  const TemporaryFolder folder;
  const std::string scene = (folder / "s.yaml").string();
  const auto refused = [&](const std::vector<std::string>& more, int code, const std::string& why) {
    std::vector<std::string> arguments = {"urdf"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    arguments.insert(arguments.end(), {"-o", scene});
    const ProgramResult result = run_program(arguments);
    EXPECT_EQ(result.exit_code, code) << why;
    EXPECT_THAT(result.err, HasSubstr(why));
    EXPECT_FALSE(std::filesystem::exists(scene)) << why;
  };
  refused({(folder / "none.urdf").string()}, 2, "no such file");
  refused({folder.write("a.urdf", "grouser: 1\n")}, 2, "not valid XML");
  refused({folder.write("a.sdf", "<sdf version=\"1.7\"/>")}, 2, "is SDF");
  refused({kRocker, "mast"}, 1, "NAME:=VALUE");
  refused({kRocker, "mats:=true"}, 2, "did you mean 'mast'");
  refused({kRocker, "wheel_radius:=0"}, 2, "must be positive");
  refused({kRocker, "--gravity", "marz"}, 2, "did you mean 'mars'");
  refused({kRocker, "--soil", "no_soil"}, 2, "no_soil");
  const std::string kept = folder.write("kept.yaml", "mine\n");
  const ProgramResult result = run_program({"urdf", kRocker, "-o", kept});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--force overwrites"));
  EXPECT_EQ(read_text(kept), "mine\n");
}

}  // namespace
}  // namespace grouser::internal
