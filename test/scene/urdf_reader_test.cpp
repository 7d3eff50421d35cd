#include "scene/urdf_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <locale>
#include <numbers>

#include "multibody/crba.h"
#include "support.h"

namespace grouser::internal {
namespace {

const char* const kInertial =
    "<inertial><mass value=\"1\"/>"
    "<inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>";

std::string link(const std::string& name, const std::string& content = kInertial) {
  return "<link name=\"" + name + "\">" + content + "</link>\n";
}

std::string joint(const std::string& name, const std::string& type, const std::string& parent,
                  const std::string& child, const std::string& content = {}) {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent +
         "\"/><child link=\"" + child + "\"/>" + content + "</joint>\n";
}

std::string robot(const std::string& content) {
  return "<?xml version=\"1.0\"?>\n<robot name=\"r\">\n" + content + "</robot>\n";
}

TreeData read_urdf_text(const std::string& text, const std::filesystem::path& folder = {}) {
  IssueList issues;
  const TreeData tree = read_urdf(text, "r.urdf", folder, issues);
  issues.throw_if_any();
  return tree;
}

World load_urdf(const std::string& text, const std::string& rest = {}) {
  const TemporaryFolder folder("urdf");
  folder.write("r.urdf", text);
  return load_text("grouser: 1\nmodels:\n  - name: m\n    urdf: r.urdf\n" + rest, folder.path());
}

// The same two-arm machine in both languages: every number of the models must agree.
TEST(UrdfReader, AgreesWithYaml) {
  const World urdf = load_urdf(robot(
      "<link name=\"base\"><inertial><origin xyz=\"0.1 0 0\" rpy=\"0 0 1.5707963267948966\"/>"
      "<mass value=\"3\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"2\" iyz=\"0\" izz=\"2.5\"/>"
      "</inertial></link>\n" +
      link("arm",
           "<inertial><mass value=\"2\"/><inertia ixx=\"0.5\" ixy=\"0.1\" ixz=\"0\""
           " iyy=\"0.6\" iyz=\"0.05\" izz=\"0.7\"/></inertial>") +
      link("hand") +
      joint("hip", "revolute", "base", "arm",
            "<origin xyz=\"0 0.2 0.3\" rpy=\"0.1 0.2 0.3\"/><axis xyz=\"0 3 4\"/>"
            "<limit lower=\"-1\" upper=\"2\" effort=\"30\" velocity=\"5\"/>"
            "<dynamics damping=\"0.4\" friction=\"0.2\"/>") +
      joint("slide", "prismatic", "arm", "hand",
            "<axis xyz=\"1 0 0\"/><limit lower=\"-0.1\" upper=\"0.1\" effort=\"7\" "
            "velocity=\"1\"/>")));
  const World yaml = load_text(
      "grouser: 1\nmodels:\n  - name: m\n    tree:\n      bodies:\n"
      "        - {name: base, mass: 3, com: [0.1, 0, 0], inertia: [2, 1, 2.5]}\n"
      "        - name: arm\n"
      "          mass: 2\n"
      "          inertia: [0.5, 0.6, 0.7, 0.1, 0, 0.05]\n"
      "          joint: {name: hip, type: revolute, parent: base, position: [0, 0.2, 0.3],\n"
      "                  rpy_deg: [5.729577951308232, 11.459155902616464, 17.188733853924695],\n"
      "                  axis: [0, 0.6, 0.8], lower: -1, upper: 2, damping: 0.4, friction: 0.2}\n"
      "        - {name: hand, mass: 1, inertia: [1, 1, 1], joint: {name: slide, type: prismatic,\n"
      "           parent: arm, axis: [1, 0, 0], lower: -0.1, upper: 0.1}}\n");
  ASSERT_EQ(urdf.model.velocity_size(), yaml.model.velocity_size());
  VecX q = urdf.model.neutral_positions();
  q[7] = 0.4;
  q[8] = -0.05;
  MatX mass[2];
  const World* worlds[] = {&urdf, &yaml};
  for (int i = 0; i < 2; ++i) {
    const Model& model = worlds[i]->model;
    Kinematics kinematics(model);
    forward_kinematics(model, q, VecX::Zero(model.velocity_size()), kinematics);
    MassMatrix M(model);
    crba(model, kinematics, M);
    mass[i] = M.dense();
  }
  EXPECT_LT((mass[0] - mass[1]).cwiseAbs().maxCoeff(), 1e-14);  // measured 9e-16
  for (std::size_t dof = 6; dof < 8; ++dof) {
    const DofLaw &a = urdf.model.laws()[dof], &b = yaml.model.laws()[dof];
    EXPECT_EQ(a.lower, b.lower);
    EXPECT_EQ(a.upper, b.upper);
    EXPECT_EQ(a.damping, b.damping);
    EXPECT_EQ(a.friction, b.friction);
  }
  EXPECT_TRUE(urdf.initial == yaml.initial);
}

TEST(UrdfReader, MimicBecomesACoupling) {
  const World world = load_urdf(
      robot(link("base") + link("a") + link("b") + joint("lead", "continuous", "base", "a") +
            joint("follow", "continuous", "base", "b",
                  "<mimic joint=\"lead\" multiplier=\"-2\" offset=\"0.5\"/>")));
  ASSERT_EQ(world.model.loops().size(), 1U);
  EXPECT_EQ(world.model.loops()[0].name, "m/follow_mimic");
  const auto& coupling = std::get<CouplingLoop>(world.model.loops()[0].law);
  const auto dof = [&](const char* name) {
    return world.model.joints()[static_cast<std::size_t>(world.model.find_joint(name))].v;
  };
  // follow = -2 lead + 0.5
  ASSERT_EQ(coupling.terms.size(), 2U);
  EXPECT_EQ(coupling.terms[0].dof, dof("m/follow"));
  EXPECT_EQ(coupling.terms[0].factor, 1);
  EXPECT_EQ(coupling.terms[1].dof, dof("m/lead"));
  EXPECT_EQ(coupling.terms[1].factor, 2);
  EXPECT_EQ(coupling.offset, 0.5);
}

TEST(UrdfReader, RootCalledWorldIsTheWorld) {
  const World world = load_urdf(
      robot(link("world",
                 "<visual><origin xyz=\"0 0 1\"/><geometry><sphere radius=\"2\"/></geometry>"
                 "</visual>") +
            link("base") + link("arm") + joint("weld", "fixed", "world", "base") +
            joint("hip", "continuous", "base", "arm")),
      "    position: [0, 0, 5]\n");
  EXPECT_EQ(world.model.body_count(), 2);
  EXPECT_EQ(world.model.velocity_size(), 1);
  EXPECT_EQ(world.model.joints()[0].X_PF.p, Vec3(0, 0, 5));
  ASSERT_EQ(world.visuals.size(), 1U);
  EXPECT_EQ(world.visuals[0].body, kWorld);
  EXPECT_EQ(world.visuals[0].X_BS.p, Vec3(0, 0, 6));
}

TEST(UrdfReader, FloatingOnTheWorldIsFree) {
  const World world =
      load_urdf(robot(link("world", "") + link("base") +
                      joint("float", "floating", "world", "base", "<origin xyz=\"1 2 3\"/>")));
  EXPECT_EQ(world.model.joints()[0].type, JointType::free);
  EXPECT_EQ(Vec3(world.initial.q.segment<3>(4)), Vec3(1, 2, 3));
}

TEST(UrdfReader, LinksWithoutInertialMayBeWelded) {
  const World world = load_urdf(robot(link("footprint", "") + link("base") + link("camera", "") +
                                      joint("a", "fixed", "footprint", "base") +
                                      joint("b", "fixed", "base", "camera")));
  EXPECT_EQ(world.model.total_mass(), 1);
  EXPECT_EQ(world.model.velocity_size(), 6);
}

TEST(UrdfReader, EffortLimitIsTheDefaultOfActuators) {
  const std::string text =
      robot(link("base") + link("arm") +
            joint("hip", "revolute", "base", "arm",
                  "<limit lower=\"-1\" upper=\"1\" effort=\"30\" velocity=\"5\"/>"));
  const World by_urdf = load_urdf(text, "actuators: [{joint: hip, type: torque}]\n");
  EXPECT_EQ(by_urdf.model.actuators()[0].max_effort, 30);
  const World by_scene =
      load_urdf(text, "actuators: [{joint: hip, type: torque, max_effort: 4}]\n");
  EXPECT_EQ(by_scene.model.actuators()[0].max_effort, 4);
}

TEST(UrdfReader, WheelsMayBeNamedInTheScene) {
  const World world = load_urdf(
      robot(link("base") + link("wheel") +
            joint("drive", "continuous", "base", "wheel", "<axis xyz=\"0 1 0\"/>")),
      "    chassis: base\n    wheels: [{body: wheel, drive: drive, radius: 0.2, width: 0.1}]\n"
      "actuators: [{joint: drive, type: velocity, kd: 1}]\n"
      "commands: [{wheels: all, ground_speed: 0.1}]\n");
  ASSERT_EQ(world.rovers.size(), 1U);
  EXPECT_EQ(world.rovers[0].wheels[0].name, "m/wheel");
  EXPECT_NEAR(evaluate(world.joint_commands[0].signal, 0).value, 0.5, 1e-15);
}

// A planar joint across y: the plane's normal of our joint is z of a frame turned accordingly. The
// link must nevertheless move within x and z only, and stay where it is at zero.
TEST(UrdfReader, PlanarJointsMoveAcrossTheirAxis) {
  const std::string visual =
      "<visual><origin xyz=\"0 0 1\"/><geometry><sphere radius=\"0.1\"/></geometry></visual>";
  const World world = load_urdf(robot(
      link("world", "") + link("sled", kInertial + visual) +
      joint("plane", "planar", "world", "sled", "<origin xyz=\"0 5 0\"/><axis xyz=\"0 1 0\"/>")));
  const Model& model = world.model;
  const auto marker = [&](double x, double y, double angle) -> Vec3 {
    VecX q(3);
    q << x, y, angle;
    Kinematics kinematics(model);
    forward_kinematics(model, q, VecX::Zero(3), kinematics);
    return (kinematics.X_WB[0] * world.visuals[0].X_BS).p;
  };
  EXPECT_TRUE(marker(0, 0, 0).isApprox(Vec3(0, 5, 1), 1e-14));
  EXPECT_NEAR(marker(0.3, 0.7, 0.5).y(), 5, 1e-14);
  EXPECT_NEAR((marker(0.3, 0.4, 0) - marker(0, 0, 0)).norm(), 0.5, 1e-14);
  // A quarter turn about +y takes z to x.
  EXPECT_TRUE(marker(0, 0, std::numbers::pi / 2).isApprox(Vec3(1, 5, 0), 1e-14));
}

TEST(UrdfReader, FindsMeshesOfPackages) {
  const TemporaryFolder folder("meshes");
  const auto mesh = folder.write("arm_description/meshes/arm.stl", "solid\n");
  const std::filesystem::path urdf_folder = folder.path() / "arm_description" / "urdf";
  std::filesystem::create_directories(urdf_folder);
  const auto same = [&](const std::string& found) {
    return !found.empty() && std::filesystem::equivalent(found, mesh);
  };
  const auto find_mesh = [](const std::string& name, const std::filesystem::path& from) {
    return PackageFinder(from).find_file(name);
  };
  EXPECT_TRUE(same(find_mesh("package://arm_description/meshes/arm.stl", urdf_folder)));
  EXPECT_TRUE(same(find_mesh("package://renamed/meshes/arm.stl", urdf_folder)));
  EXPECT_TRUE(same(find_mesh("model://arm_description/meshes/arm.stl", urdf_folder)));
  EXPECT_TRUE(same(find_mesh("../meshes/arm.stl", urdf_folder)));
  EXPECT_TRUE(same(find_mesh("meshes/arm.stl", urdf_folder)));
  EXPECT_TRUE(same(find_mesh("file://" + mesh.string(), urdf_folder)));
  EXPECT_TRUE(same(find_mesh(mesh.string(), urdf_folder)));
  EXPECT_EQ(find_mesh("package://arm_description/meshes/leg.stl", urdf_folder), "");
  EXPECT_EQ(find_mesh("meshes", urdf_folder), "");  // a folder
  EXPECT_EQ(find_mesh("", urdf_folder), "");
}

// Visuals are only looked at: without their meshes a run goes on, with what collides in their place.
TEST(UrdfReader, MissingMeshesOfVisualsAreAWarning) {
  std::string visuals,
      same = "<visual><geometry><mesh filename=\"package://none/0.stl\"/></geometry></visual>";
  for (int i = 0; i < 6; ++i) {
    visuals += "<visual><geometry><mesh filename=\"package://none/" + std::to_string(i) +
               ".stl\"/></geometry></visual>";
  }
  const TreeData tree = read_urdf_text(robot(
      link("base", kInertial + visuals + same +
                       "<collision><geometry><sphere radius=\"0.3\"/></geometry></collision>")));
  ASSERT_EQ(tree.bodies[0].visuals.size(), 1U);
  EXPECT_EQ(std::get<SphereShape>(tree.bodies[0].visuals[0].shape).radius, 0.3);
  ASSERT_EQ(tree.warnings.size(), 1U);
  EXPECT_EQ(tree.warnings[0].line, 3);
  EXPECT_THAT(tree.warnings[0].message,
              testing::HasSubstr("package://none/3.stl and 2 more like this"));
}

TEST(UrdfReader, MimicOfAFixedJointIsAWarning) {
  const TreeData tree = read_urdf_text(
      robot(link("base") + link("a") + link("b") + joint("lead", "fixed", "base", "a") +
            joint("follow", "continuous", "base", "b", "<mimic joint=\"lead\"/>")));
  EXPECT_TRUE(tree.elements.loops.empty());
  ASSERT_EQ(tree.warnings.size(), 1U);
  EXPECT_THAT(tree.warnings[0].message, testing::HasSubstr("the joint 'lead' is fixed"));
}

TEST(UrdfReader, SaysWhichMomentsAreImpossible) {
  try {
    load_urdf(robot(link("base",
                         "<inertial><mass value=\"1\"/><inertia ixx=\"0.5\" ixy=\"0\" ixz=\"0\""
                         " iyy=\"0.1\" iyz=\"0\" izz=\"0.2\"/></inertial>")));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.issues()[0].value, "0.1, 0.2, 0.5 kg m²: 0.1 + 0.2 < 0.5");
  }
}

TEST(UrdfReader, ReadsShapesAndColours) {
  const TreeData tree = read_urdf_text(robot(
      "<material name=\"red\"><color rgba=\"0.9 0.1 0.2 1\"/></material>\n" +
      link("base", std::string(kInertial) +
                       "<visual><geometry><box size=\"1 2 3\"/></geometry><material name=\"red\"/>"
                       "</visual><visual><geometry><cylinder radius=\"1\" length=\"2\"/></geometry>"
                       "</visual>")));
  const std::vector<VisualData>& visuals = tree.bodies[0].visuals;
  ASSERT_EQ(visuals.size(), 2U);
  EXPECT_EQ(std::get<BoxShape>(visuals[0].shape).size, Vec3(1, 2, 3));
  EXPECT_TRUE(visuals[0].color.isApprox(Vec3(0.9, 0.1, 0.2), 1e-6));
  EXPECT_EQ(std::get<CylinderShape>(visuals[1].shape).length, 2);
}

TEST(UrdfReader, PassesOverWhatOtherProgramsAdd) {
  const TreeData tree = read_urdf_text(
      robot(link("base") + "<gazebo reference=\"base\"><mu1>0.2</mu1></gazebo>\n"
                           "<transmission name=\"t\"><type>simple</type></transmission>\n"));
  EXPECT_EQ(tree.bodies.size(), 1U);
}

TEST(UrdfReader, KnowsNoLocale) {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
  };
  const std::locale before = std::locale::global(std::locale(std::locale(), new Comma));
  const TreeData tree = read_urdf_text(robot(
      link("base",
           "<inertial><origin xyz=\"0.5 0 0\"/><mass value=\"1.5\"/><inertia ixx=\"1.5\" ixy=\"0\""
           " ixz=\"0\" iyy=\"1.5\" iyz=\"0\" izz=\"1.5\"/></inertial>")));
  std::locale::global(before);
  EXPECT_EQ(tree.bodies[0].inertia.mass, 1.5);
  EXPECT_EQ(tree.bodies[0].inertia.com.x(), 0.5);
}

TEST(UrdfReader, SaysNothingToTheConsole) {
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  IssueList issues;
  read_urdf("<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/></robot>", "r", {}, issues);
  read_urdf("<robot name=\"r\" version=\"9.9\"><link name=\"a\"/></robot>", "r", {}, issues);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(issues.issues().size(), 2U);
}

}  // namespace
}  // namespace grouser::internal
