#include "scene/xacro.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "scene/urdf_reader.h"
#include "support.h"

namespace grouser::internal {
namespace {

using testing::HasSubstr;

std::string robot_text(const std::string& content) {
  return "<robot name=\"r\" xmlns:xacro=\"http://ros.org/wiki/xacro\">\n" + content + "</robot>\n";
}

/// What a text expands to, one line for each element, indented.
class XacroTest : public testing::Test {
 protected:
  std::string expand(const std::string& content, const XacroArguments& arguments = {}) {
    PackageFinder packages(folder_.path());
    issues_ = {};
    const auto robot = read_robot(robot_text(content), (folder_.path() / "r.xacro").string(),
                                  arguments, packages, issues_);
    if (!robot) return "error";
    warnings_ = robot->warnings;
    std::string out = xml_text(robot->root);
    out.erase(0, out.find("<robot"));
    return out;
  }
  /// The lines between <robot> and </robot>.
  std::string inside(const std::string& content, const XacroArguments& arguments = {}) {
    const std::string out = expand(content, arguments);
    const std::size_t begin = out.find('\n'), end = out.rfind("</robot>");
    if (begin == std::string::npos || end == std::string::npos) return out;
    return out.substr(begin + 1, end - begin - 1);
  }
  std::string issue() const {
    return issues_.empty() ? "no issue" : to_string(issues_.issues().front());
  }

  TemporaryFolder folder_{"xacro"};
  IssueList issues_;
  std::vector<Issue> warnings_;
};

TEST_F(XacroTest, PropertiesAreEvaluatedWhenUsed) {
  EXPECT_EQ(inside("<xacro:property name=\"area\" value=\"${width * 2}\"/>\n"
                   "<xacro:property name=\"width\" value=\"0.5\"/>\n"
                   "<link name=\"a_${area}\" size=\"${width} ${-width/2} $${x} $5\"/>\n"),
            "  <link name=\"a_1.0\" size=\"0.5 -0.25 ${x} $5\"/>\n");
  EXPECT_EQ(inside("<xacro:property name=\"p\" value=\"1\"/>\n"
                   "<xacro:property name=\"p\" default=\"2\"/>\n"
                   "<xacro:property name=\"q\" default=\"3\"/>\n"
                   "<link name=\"${p}${q}\"/>\n"),
            "  <link name=\"13\"/>\n");
}

TEST_F(XacroTest, MacrosTakeValuesBlocksAndDefaults) {
  const std::string macro =
      "<xacro:macro name=\"wheel\" params=\"prefix radius:=0.1 *origin side:='a b' **extra\">\n"
      "  <link name=\"${prefix}_wheel\" r=\"${radius}\" s=\"${side}\">\n"
      "    <xacro:insert_block name=\"origin\"/><xacro:insert_block name=\"extra\"/>\n"
      "  </link>\n"
      "</xacro:macro>\n";
  EXPECT_EQ(inside(macro + "<xacro:wheel prefix=\"left\" radius=\"${0.1 + 0.1}\">\n"
                           "<origin xyz=\"1 2 3\"/><more><mass/><color/></more></xacro:wheel>\n"),
            "  <link name=\"left_wheel\" r=\"0.2\" s=\"a b\">\n"
            "    <origin xyz=\"1 2 3\"/>\n    <mass/>\n    <color/>\n  </link>\n");
  expand(macro + "<xacro:wheel prefix=\"left\"/>\n");
  EXPECT_THAT(issue(), HasSubstr("r.xacro:7: the macro 'wheel' needs the block 'origin'"));
  expand(macro + "<xacro:wheel><a/><b/></xacro:wheel>\n");
  EXPECT_THAT(issue(), HasSubstr("the macro 'wheel' needs prefix"));
  expand(macro + "<xacro:wheel prefix=\"l\" raduis=\"1\"><a/><b/></xacro:wheel>\n");
  EXPECT_THAT(issue(), HasSubstr("no parameter 'raduis', did you mean 'radius'"));
  expand(macro + "<xacro:whel prefix=\"l\"/>\n");
  EXPECT_THAT(issue(), HasSubstr("there is no macro 'whel', did you mean 'wheel'"));
}

TEST_F(XacroTest, ScopesAreThoseOfTheCaller) {
  // A macro sees its caller's properties; its own vanish unless they are given to the parent.
  EXPECT_EQ(inside("<xacro:property name=\"outer\" value=\"1\"/>\n"
                   "<xacro:macro name=\"m\" params=\"p:=^|5 q:=^|6\">\n"
                   "  <xacro:property name=\"outer\" value=\"2\"/>\n"
                   "  <xacro:property name=\"kept\" value=\"${outer + 1}\" scope=\"parent\"/>\n"
                   "  <xacro:property name=\"everywhere\" value=\"9\" scope=\"global\"/>\n"
                   "  <link p=\"${p}\" q=\"${q}\" outer=\"${outer}\"/>\n"
                   "</xacro:macro>\n"
                   "<xacro:property name=\"p\" value=\"4\"/>\n"
                   "<xacro:m/>\n"
                   "<link outer=\"${outer}\" kept=\"${kept}\" e=\"${everywhere}\"/>\n"),
            "  <link p=\"4\" q=\"6\" outer=\"2\"/>\n  <link outer=\"1\" kept=\"3\" e=\"9\"/>\n");
}

TEST_F(XacroTest, MacrosMayBeDefinedInMacros) {
  EXPECT_EQ(inside("<xacro:macro name=\"robot\" params=\"prefix\">\n"
                   "  <xacro:macro name=\"part\" params=\"name\">"
                   "<link name=\"${prefix}${name}\"/></xacro:macro>\n"
                   "  <xacro:part name=\"a\"/><xacro:call macro=\"part\" name=\"b\"/>\n"
                   "</xacro:macro>\n<xacro:robot prefix=\"x/\"/>\n"),
            "  <link name=\"x/a\"/>\n  <link name=\"x/b\"/>\n");
}

TEST_F(XacroTest, ConditionsChoose) {
  const std::string content =
      "<xacro:arg name=\"arm\" default=\"false\"/>\n"
      "<xacro:if value=\"$(arg arm)\"><link name=\"arm\"/></xacro:if>\n"
      "<xacro:unless value=\"$(arg arm)\"><link name=\"cap\"/></xacro:unless>\n"
      "<xacro:if value=\"${1 == 1 and 'a' != 'b'}\"><link name=\"both\"/></xacro:if>\n"
      "<xacro:if value=\"0\"><link name=\"${missing}\"/></xacro:if>\n";
  EXPECT_EQ(inside(content), "  <link name=\"cap\"/>\n  <link name=\"both\"/>\n");
  EXPECT_EQ(inside(content, {{"arm", "true"}}),
            "  <link name=\"arm\"/>\n  <link name=\"both\"/>\n");
  expand(content, {{"arn", "true"}});
  EXPECT_THAT(issue(), HasSubstr("no xacro argument 'arn', did you mean 'arm'"));
  expand("<xacro:if value=\"maybe\"><link/></xacro:if>\n");
  EXPECT_THAT(issue(), HasSubstr("'xacro:if' needs true or false (got 'maybe')"));
}

TEST_F(XacroTest, CommandsWithinExpressionsComeFirst) {
  EXPECT_EQ(
      inside("<xacro:arg name=\"side\" default=\"left\"/>\n"
             "<xacro:if value=\"${'$(arg side)' == 'left'}\"><link name=\"l\"/></xacro:if>\n"
             "<xacro:macro name=\"xacro:old\" params=\"\"><link name=\"old\"/></xacro:macro>\n"
             "<xacro:old/>\n"),
      "  <link name=\"l\"/>\n  <link name=\"old\"/>\n");
}

TEST_F(XacroTest, CommandsAreSubstituted) {
  folder_.write("my_robot/package.xml", "<package><name>my_robot</name></package>");
  folder_.write("my_robot/urdf/part.xacro",
                robot_text("<xacro:macro name=\"part\" params=\"n\"><link name=\"${n}\"/>"
                           "</xacro:macro>\n<xacro:include filename=\"more.xacro\"/>\n"));
  folder_.write("my_robot/urdf/more.xacro", robot_text("<link name=\"more\"/>\n"));
  ASSERT_EQ(setenv("GROUSER_TEST_SIDE", "left", 1), 0);
  EXPECT_EQ(inside("<xacro:include filename=\"$(find my_robot)/urdf/part.xacro\"/>\n"
                   "<xacro:part n=\"$(env GROUSER_TEST_SIDE)\"/>\n"
                   "<xacro:part n=\"$(optenv GROUSER_TEST_NONE 1 2)\"/>\n"
                   "<xacro:part n=\"$(optenv GROUSER_TEST_NONE )x\"/>\n"
                   "<xacro:arg name=\"count\" default=\"2\"/>\n"
                   "<xacro:part n=\"$(eval count * 3)\"/>\n"
                   "<xacro:part n=\"$(eval arg('count') + 1)\"/>\n"),
            "  <link name=\"more\"/>\n  <link name=\"left\"/>\n  <link name=\"1 2\"/>\n"
            "  <link name=\"x\"/>\n  <link name=\"6\"/>\n  <link name=\"3\"/>\n");
  expand("<link name=\"$(env GROUSER_TEST_NONE)\"/>\n");
  EXPECT_THAT(issue(), HasSubstr("'GROUSER_TEST_NONE' is not set"));
  expand("<link name=\"$(anon x)\"/>\n");
  EXPECT_THAT(issue(), HasSubstr("'$(anon)' is not supported"));
  expand("<link name=\"$(arg x)\"/>\n");
  EXPECT_THAT(issue(), HasSubstr("give x:=VALUE"));
}

// Files of sensors that are switched off need not be there; what is used of them must.
TEST_F(XacroTest, IncludesOfMissingPackagesAreLeftOut) {
  const std::string include = "<xacro:include filename=\"$(find no_such_lidar)/lidar.xacro\"/>\n";
  EXPECT_EQ(inside(include + "<link name=\"a\"/>\n"), "  <link name=\"a\"/>\n");
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_THAT(warnings_[0].message, HasSubstr("$(find no_such_lidar)/lidar.xacro (looked in "));
  EXPECT_THAT(warnings_[0].message, HasSubstr(folder_.path().string()));
  expand(include + "<xacro:lidar/>\n");
  EXPECT_THAT(issue(),
              HasSubstr("there is no macro 'lidar'; it may be in a file of a missing package"));
}

TEST_F(XacroTest, LoadsYaml) {
  folder_.write("sizes.yaml", "wheel: {radius: 0.2, name: '7'}\naxles: [0.5, -0.5]\n");
  EXPECT_EQ(
      inside("<xacro:property name=\"s\" value=\"${load_yaml('sizes.yaml')}\"/>\n"
             "<link r=\"${s['wheel']['radius']}\" n=\"${s.wheel.name}\" x=\"${s.axles[1]}\"/>\n"),
      "  <link r=\"0.2\" n=\"7\" x=\"-0.5\"/>\n");
  expand("<link r=\"${xacro.load_yaml('none.yaml')}\"/>\n");
  EXPECT_THAT(issue(), HasSubstr("no such file"));
}

TEST_F(XacroTest, MistakesHaveThePlaceOfTheirSource) {
  folder_.write("part.xacro", robot_text("<xacro:macro name=\"part\" params=\"n\">\n"
                                         "  <link name=\"${n}\"\n        mass=\"${mas * 2}\"/>\n"
                                         "</xacro:macro>\n"));
  expand(
      "<xacro:include filename=\"part.xacro\"/>\n<xacro:property name=\"mass\" value=\"1\"/>\n\n"
      "<xacro:part n=\"a\"/>\n");
  EXPECT_THAT(issue(),
              HasSubstr("part.xacro:4: link.mass: the name 'mas' is not defined, did you mean "
                        "'mass'? (in the macro 'part', called at "));
  EXPECT_THAT(issue(), HasSubstr("r.xacro:5) (got \"${mas * 2}\")"));
  expand("<xacro:include filename=\"none.xacro\"/>\n");
  EXPECT_THAT(issue(), HasSubstr("r.xacro:2: xacro:include: "));
  EXPECT_THAT(issue(), HasSubstr("no such file"));
  expand("<include filename=\"none.xacro\"/>\n");
  EXPECT_THAT(issue(), HasSubstr("write 'xacro:include'"));
}

TEST_F(XacroTest, HostileFilesEnd) {
  expand("<xacro:macro name=\"m\" params=\"\"><xacro:m/></xacro:macro><xacro:m/>\n");
  EXPECT_THAT(issue(), HasSubstr("calls itself without end"));
  expand(
      "<xacro:property name=\"a\" value=\"${b}\"/><xacro:property name=\"b\" value=\"${a}\"/>"
      "<link name=\"${a}\"/>\n");
  EXPECT_THAT(issue(), HasSubstr("is defined by itself"));
  folder_.write("loop.xacro", robot_text("<xacro:include filename=\"loop.xacro\"/>\n"));
  expand("<xacro:include filename=\"loop.xacro\"/>\n");
  EXPECT_THAT(issue(), HasSubstr("include each other too deeply"));
  // Ten macros, each calling the next one ten times.
  std::string bomb = "<xacro:macro name=\"m0\" params=\"\"><link/></xacro:macro>\n";
  for (int i = 1; i < 10; ++i) {
    bomb += "<xacro:macro name=\"m" + std::to_string(i) + "\" params=\"\">";
    for (int k = 0; k < 10; ++k) bomb += "<xacro:m" + std::to_string(i - 1) + "/>";
    bomb += "</xacro:macro>\n";
  }
  expand(bomb + "<xacro:m9/>\n");
  EXPECT_THAT(issue(), HasSubstr("too many elements"));
  // Texts that double.
  std::string doubling = "<xacro:property name=\"p0\" value=\"0123456789\"/>\n";
  for (int i = 1; i < 40; ++i) {
    const std::string before = "${p" + std::to_string(i - 1) + "}";
    doubling +=
        "<xacro:property name=\"p" + std::to_string(i) + "\" value=\"" + before + before + "\"/>\n";
  }
  expand(doubling + "<link name=\"${p39}\"/>\n");
  EXPECT_THAT(issue(), HasSubstr("too long"));
  std::string chain;
  for (int i = 0; i < 5000; ++i) {
    chain += "<xacro:property name=\"q" + std::to_string(i) + "\" value=\"${q" +
             std::to_string(i + 1) + "}\"/>\n";
  }
  expand(chain + "<link name=\"${q0}\"/>\n");
  EXPECT_THAT(issue(), HasSubstr("too deeply"));
}

TEST_F(XacroTest, ScenesTakeXacro) {
  const std::string part =
      "<inertial><mass value=\"${m}\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" "
      "izz=\"1\"/></inertial>";
  folder_.write("r.urdf.xacro",
                robot_text("<xacro:property name=\"m\" value=\"3\"/>\n<link name=\"a\">" + part +
                           "</link>\n"));
  const World world =
      load_text("grouser: 1\nmodels:\n  - {name: m, urdf: r.urdf.xacro}\n", folder_.path());
  EXPECT_EQ(world.model.bodies()[0].inertia.mass, 3);
}

TEST(PackageFinder, LooksWhereRosDoes) {
  const TemporaryFolder folder("packages");
  folder.write("ament/share/seen/package.xml", "<package><name>seen</name></package>");
  folder.write("src/group/deep/package.xml", "<package><name>deep</name></package>");
  folder.write("repo/robot/urdf/r.urdf", "");
  folder.write("repo/renamed_folder/package.xml", "<package>\n <name> meshes </name>\n</package>");
  folder.write("repo/plain/x.stl", "");
  ASSERT_EQ(setenv("AMENT_PREFIX_PATH", (folder.path() / "ament").c_str(), 1), 0);
  ASSERT_EQ(setenv("ROS_PACKAGE_PATH", (folder.path() / "src").c_str(), 1), 0);
  PackageFinder finder(folder.path() / "repo/robot/urdf");
  unsetenv("AMENT_PREFIX_PATH");
  unsetenv("ROS_PACKAGE_PATH");
  EXPECT_EQ(finder.find("seen"), folder.path() / "ament/share/seen");
  EXPECT_EQ(finder.find("deep"), folder.path() / "src/group/deep");
  EXPECT_EQ(finder.find("robot"), folder.path() / "repo/robot");
  EXPECT_EQ(finder.find("meshes"), folder.path() / "repo/renamed_folder");
  EXPECT_EQ(finder.find("plain"), folder.path() / "repo/plain");
  EXPECT_EQ(finder.find("none"), std::nullopt);
  EXPECT_EQ(finder.find(".."), std::nullopt);
  EXPECT_EQ(finder.find_file("package://plain/x.stl"), folder.path() / "repo/plain/x.stl");
  EXPECT_THAT(finder.searched(), HasSubstr((folder.path() / "ament/share").string()));
}

}  // namespace
}  // namespace grouser::internal
