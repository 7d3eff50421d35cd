#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "core/error.h"
#include "rigs/drawbar_rig.h"
#include "rigs/rig_rover.h"
#include "rigs/rig_steadiness.h"
#include "rigs/slope_rig.h"
#include "scene/builtin.h"
#include "support/temporary_folder.h"

namespace grouser::internal {
namespace {

using testing::HasSubstr;

class OwnRoverTest : public TemporaryFolderTest {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  std::string tree_file() const {
    return write("tree.yaml", *find_builtin("rovers", "four_wheel"));
  }
};

SlopeSpec quick_slope() {
  SlopeSpec spec;
  spec.model = TerraModel{};
  spec.distance = 0.6;
  return spec;
}

std::string problem_of(const std::string& rover) {
  try {
    load_rig_rover(rover);
  } catch (const Error& error) {
    return error.issues().front().message;
  }
  return "accepted";
}

TEST_F(OwnRoverTest, TreeAndSceneGiveWhatTheBuiltInRoverGives) {
  SlopeSpec spec = quick_slope();
  const SlopeRun builtin = run_slope(spec, 5);
  tree_file();
  const std::string scene =
      write("scene.yaml",
            "grouser: 1\ngravity: moon\nterrain: {surface: {size: [4, 4]}, soil: dry_sand}\n"
            "models:\n  - {name: box, position: [0, 0, 3], tree: {bodies: [{name: b, mass: 1, "
            "shape: {sphere: {radius: 0.1}}}]}}\n"
            "  - {name: mine, file: tree.yaml, place: {at: [1, 1], heading_deg: 70}}\n"
            "contacts: [{model: terra, wheels: all}]\n"
            "commands: [{wheels: all, ground_speed: 0.1}]\n");
  for (const std::string& file : {(folder_ / "tree.yaml").string(), scene, scene + "#mine"}) {
    spec.rover = file;
    const SlopeRun own = run_slope(spec, 5);
    EXPECT_DOUBLE_EQ(own.slip, builtin.slip) << file;
    EXPECT_DOUBLE_EQ(own.sinkage, builtin.sinkage) << file;
    EXPECT_DOUBLE_EQ(own.torque, builtin.torque) << file;
  }
}

TEST_F(OwnRoverTest, SceneOfTwoRovers) {
  tree_file();
  const std::string scene =
      write("two.yaml",
            "grouser: 1\nmodels:\n  - {name: a, file: tree.yaml}\n  - {name: b, file: tree.yaml, "
            "position: [5, 0, 0]}\n");
  EXPECT_THAT(problem_of(scene), HasSubstr("several rovers"));
  EXPECT_EQ(problem_of(scene + "#b"), "accepted");
  EXPECT_THAT(problem_of(scene + "#c"), HasSubstr("no such rover"));
  EXPECT_EQ(load_rig_rover(scene + "#b").rovers.size(), 1u);
}

// A scene's own actuators belong to a rover whose tree has none, as that of a URDF.
TEST_F(OwnRoverTest, ActuatorsOfASceneComeAlong) {
  write("cart.urdf",
        "<robot name='cart'><link name='base'><inertial><mass value='10'/><inertia ixx='1' iyy='1' "
        "izz='1' ixy='0' "
        "ixz='0' iyz='0'/></inertial></link>"
        "<link name='wheel'><inertial><mass value='1'/><inertia ixx='.01' iyy='.01' izz='.01' "
        "ixy='0' ixz='0' "
        "iyz='0'/></inertial></link>"
        "<joint name='drive' type='continuous'><parent link='base'/><child link='wheel'/><axis "
        "xyz='0 1 0'/>"
        "<origin xyz='0 0 -0.2'/></joint></robot>");
  const std::string scene = write(
      "cart.yaml",
      "grouser: 1\nmodels:\n  - name: cart\n    urdf: cart.urdf\n    chassis: base\n    wheels: "
      "[{name: w, body: wheel, drive: drive, radius: 0.1, width: 0.1}]\n"
      "actuators: [{joint: cart/drive, type: velocity, kd: 3}]\n");
  const World world = load_rig_rover(scene);
  EXPECT_EQ(world.model.actuators().size(), 1u);
  EXPECT_EQ(world.rovers.at(0).wheels.size(), 1u);
  EXPECT_THAT(problem_of((folder_ / "cart.urdf").string()), HasSubstr("names no wheels"));
}

TEST_F(OwnRoverTest, ClearAboutWhatIsNoRover) {
  EXPECT_THAT(problem_of((folder_ / "none.yaml").string()), HasSubstr("no such file"));
  const std::string fixed =
      write("fixed.yaml", "grouser: 1\nmodels: [{name: r, rover: four_wheel, base: fixed}]\n");
  EXPECT_THAT(problem_of(fixed), HasSubstr("free base"));
  const std::string ball =
      write("ball.yaml",
            "grouser: 1\nmodels: [{name: r, tree: {bodies: [{name: b, mass: 1, shape: {sphere: "
            "{radius: 0.1}}}]}}]\n");
  EXPECT_THAT(problem_of(ball), HasSubstr("no rover"));
  SlopeSpec spec = quick_slope();
  spec.rover = "four_weel";
  EXPECT_THROW(run_slope(spec, 5), Error);
  EXPECT_NE(problem_of(write("broken.yaml", "grouser: 1\nmodels: [")), "accepted");
}

struct Point {
  double time = 0, value = 0;
};

TEST(Steadiness, ComparesHalves) {
  const auto value = [](const Point& p) { return p.value; };
  const std::vector<Point> trace = {{0, 9}, {1, 1.00}, {2, 1.00}, {3, 1.04}, {4, 1.04}, {9, 5}};
  Steadiness steady(1, 4);
  steady.compare("torque", trace, 0, value);  // 0.04 / 1.04
  EXPECT_TRUE(steady.is_steady());
  EXPECT_TRUE(steady.warnings().empty());
  steady.compare_slip(trace, value);  // 0.04 > 0.02
  EXPECT_FALSE(steady.is_steady());
  EXPECT_THAT(steady.warnings().at(0), HasSubstr("slip by +0.04"));
  Steadiness floor(1, 4);
  floor.compare("sinkage", std::vector<Point>{{1, 0}, {4, 0.1}}, 10, value);  // of a scale of 10
  EXPECT_TRUE(floor.is_steady());
  floor.compare("sinkage", std::vector<Point>{{1, 0}, {4, 1}}, 10, value);
  EXPECT_FALSE(floor.is_steady());
}

// TerRA is steady at once, unless it still digs in; a rover that slides back down is faster and faster.
TEST(SlopeRig, SaysWhatIsNotSteady) {
  SlopeSpec spec = quick_slope();
  spec.distance = 2;
  const SlopeRun level = run_slope(spec, 0);
  EXPECT_TRUE(level.steady) << level.warnings.front();
  EXPECT_TRUE(level.warnings.empty());
  const SlopeRun steep = run_slope(spec, 40);
  EXPECT_FALSE(steep.steady);
  ASSERT_FALSE(steep.warnings.empty());
  EXPECT_THAT(steep.warnings.back(), HasSubstr("not steady"));
}

}  // namespace
}  // namespace grouser::internal
