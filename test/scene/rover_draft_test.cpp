#include "scene/rover_draft.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "scene/inertia_repair.h"
#include "scene/round_shape.h"
#include "scene/urdf_reader.h"
#include "sim/rover_plan.h"
#include "support.h"

namespace grouser::internal {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

const fs::path kRocker = fs::path(GROUSER_SOURCE_DIR) / "test/data/robots/rocker.urdf.xacro";

std::string made_link(const std::string& name, const std::string& collision = {},
                      const std::string& inertia = "ixx=\"0.01\" iyy=\"0.01\" izz=\"0.01\"",
                      const std::string& mass = "1") {
  return "<link name=\"" + name + "\"><inertial><mass value=\"" + mass + "\"/><inertia " + inertia +
         " ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>" + collision + "</link>\n";
}

std::string made_shape(const std::string& geometry, const std::string& origin = {}) {
  return "<collision>" + origin + "<geometry>" + geometry + "</geometry></collision>";
}

std::string made_joint(const std::string& name, const std::string& type, const std::string& parent,
                       const std::string& child, const std::string& xyz, const std::string& axis,
                       const std::string& more = {}) {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><origin xyz=\"" + xyz +
         "\"/><parent link=\"" + parent + "\"/><child link=\"" + child + "\"/><axis xyz=\"" + axis +
         "\"/>" + more + "</joint>\n";
}

const std::string kTyre = made_shape("<cylinder radius=\"0.1\" length=\"0.06\"/>",
                                     "<origin rpy=\"1.5707963267948966 0 0\"/>");

/// A cart of four wheels at x = ±0.3, y = ±0.2, whose axles point along `axis`.
std::string cart(const std::string& tyre = kTyre, const std::string& axis = "0 1 0",
                 const std::string& more = {}) {
  std::string text =
      "<robot name=\"cart\">\n" + made_link("base", made_shape("<box size=\"0.5 0.3 0.1\"/>"),
                                            "ixx=\"1\" iyy=\"1\" izz=\"1\"", "10");
  int k = 0;
  for (const char* at : {"0.3 0.2 0", "0.3 -0.2 0", "-0.3 0.2 0", "-0.3 -0.2 0"}) {
    const std::string name = "w" + std::to_string(k++);
    text +=
        made_link(name, tyre) + made_joint(name + "_joint", "continuous", "base", name, at, axis);
  }
  return text + more + "</robot>\n";
}

class RoverDraftTest : public testing::Test {
 protected:
  RoverDraft draft(const std::string& urdf, RoverDraftOptions options = {}) {
    options.scene = folder_.path() / "scene.yaml";
    return draft_rover(folder_.write("robot.urdf", urdf), options);
  }
  RoverDraft draft_rocker(RoverDraftOptions options = {}) {
    options.scene = folder_.path() / "scene.yaml";
    return draft_rover(kRocker, options);
  }
  /// The scene with its robot, as the program would read them.
  World load(const RoverDraft& made) {
    if (made.urdf) folder_.write(made.urdf_file.filename(), *made.urdf);
    return load_scene(folder_.write("scene.yaml", made.scene.text));
  }
  std::vector<Issue> issues_of(const std::string& urdf) {
    try {
      draft(urdf);
    } catch (const Error& error) {
      return error.issues();
    }
    return {Issue{.message = "no issue"}};
  }
  TemporaryFolder folder_{"draft"};
};

// The numbers of test/data/robots/rocker.urdf.xacro, worked out by hand.
TEST_F(RoverDraftTest, FindsWheelsWhereTheyCollide) {
  const RoverDraft found = draft_rocker();
  EXPECT_EQ(found.robot, "rocker");
  EXPECT_EQ(found.chassis, "base_link");
  EXPECT_NEAR(found.mass, 10 + 2 * (1 + 0.4 + 2 * 0.5) + 0.5 + 0.1, 1e-12);
  ASSERT_EQ(found.wheels.size(), 4u);
  for (const DraftedWheel& wheel : found.wheels) {
    const bool left = wheel.link.ends_with("left_wheel"), front = wheel.link.starts_with("front");
    EXPECT_NEAR(wheel.radius, 0.1, 1e-12);
    EXPECT_NEAR(wheel.width, 0.08, 1e-12);
    EXPECT_NEAR(wheel.offset, 0.05, 1e-12);
    EXPECT_NEAR(wheel.centre.x(), front ? 0.25 : -0.25, 1e-12);
    EXPECT_NEAR(wheel.centre.y(), left ? 0.30 : -0.30, 1e-12);  // 0.25 m, and 0.05 m outwards
    EXPECT_NEAR(wheel.centre.z(), 0.1, 1e-12);                  // above the footprint
    EXPECT_EQ(wheel.steer, front ? (left ? "left_steer" : "right_steer") : "");
  }
  EXPECT_THAT(found.free_joints, UnorderedElementsAre("left_pivot", "right_pivot"));
  EXPECT_THAT(found.held_joints, UnorderedElementsAre("mast_tilt", "lidar_spin"));
  EXPECT_EQ(found.speed, 0.1);
  EXPECT_EQ(found.scene.spacing, 0.01);  // 0.08 / 6 m, rounded down
  EXPECT_FALSE(found.urdf);
}

TEST_F(RoverDraftTest, ItsSceneIsWhatItSays) {
  const World world = load(draft_rocker());
  ASSERT_EQ(world.rovers.size(), 1u);
  const Rover& rover = world.rovers[0];
  EXPECT_EQ(world.model.bodies()[static_cast<std::size_t>(rover.chassis)].name, "rocker/base_link");
  const RoverPlan plan = plan_rover(world, rover);
  for (std::size_t w = 0; w < 4; ++w) {
    const bool left = rover.wheels[w].name.ends_with("left_wheel");
    EXPECT_NEAR(plan.wheels[w].y, left ? 0.30 : -0.30, 1e-9);
    EXPECT_EQ(plan.drive_sign[w], left ? -1 : 1);  // the left axles point to the right
    EXPECT_GE(plan.drive_actuator[w], 0);
  }
  EXPECT_EQ(world.model.loops().size(), 1u);  // the mimic of the pivots
  for (const char* ground : {"terra", "hard"}) {
    RoverDraftOptions options;
    options.ground = std::string(ground) == "hard" ? GroundKind::hard : GroundKind::terra;
    EXPECT_FALSE(load(draft_rocker(options)).contacts.empty()) << ground;
  }
}

// kd = T / (0.04 ω), T = 0.25 · load · radius + friction + damping · ω, two digits.
TEST_F(RoverDraftTest, MotorsFollowTheirFormulae) {
  const RoverDraft found = draft_rocker();
  const double load = found.mass * 9.80665 / 4, rate = 1;
  const double torque = 0.25 * load * 0.1 + 0.05 + 0.02 * rate;
  const auto motor = [&](const std::string& name) {
    return *std::ranges::find(found.motors, name, &ProposedMotor::joint);
  };
  EXPECT_NEAR(motor("rear_left_drive").kd, torque / (0.04 * rate), 0.5);
  EXPECT_EQ(motor("rear_left_drive").max_effort, 4);  // the file's
  EXPECT_FALSE(motor("left_steer").is_drive);
  EXPECT_LT(motor("left_steer").max_effort, 100);  // the file's 100 000 N m are no motor's
  EXPECT_THAT(motor("left_steer").why, HasSubstr("100000 is no motor's"));
  EXPECT_EQ(found.motors.size(), 4u + 2u + 2u);
}

TEST_F(RoverDraftTest, ArgumentsChangeTheRobot) {
  RoverDraftOptions options;
  options.arguments = {{"wheel_radius", "0.15"}, {"mast", "false"}};
  const RoverDraft found = draft_rocker(options);
  EXPECT_NEAR(found.wheels[0].radius, 0.15, 1e-12);
  EXPECT_TRUE(found.held_joints.empty());
  ASSERT_TRUE(found.urdf);  // the scene names a file in which the arguments are fixed
  EXPECT_EQ(found.urdf_file, folder_.path() / "scene.urdf");
  EXPECT_EQ(load(found).rovers[0].wheels[0].radius, 0.15);
}

TEST_F(RoverDraftTest, SaysWhyThereAreNoWheels) {
  const auto none = issues_of("<robot name=\"r\">" + made_link("a") + "</robot>");
  EXPECT_THAT(none[0].message, HasSubstr("no wheels found"));
  const auto box = issues_of(cart(made_shape("<box size=\"0.1 0.1 0.1\"/>")));
  EXPECT_THAT(box[0].value, HasSubstr("'w0' is not round about its joint's axis"));
  EXPECT_THAT(issues_of(cart(""))[0].value, HasSubstr("'w0' has no shape"));
  EXPECT_THAT(issues_of(cart(kTyre, "0 0 1"))[0].value, HasSubstr("upright axis"));
  EXPECT_THAT(issues_of(cart(made_shape("<cylinder radius=\"0\" length=\"0.1\"/>")))[0].message,
              HasSubstr("must be positive"));
  const auto aside =
      issues_of(cart(made_shape("<sphere radius=\"0.1\"/>", "<origin xyz=\"0.5 0 0\"/>")));
  EXPECT_THAT(aside[0].value, HasSubstr("is not round"));
}

// A robot of another CAD: forward is y. The scene's chassis is a link turned to it.
TEST_F(RoverDraftTest, TurnsTheChassisToWhereTheAxlesSay) {
  const std::string tyre = made_shape("<cylinder radius=\"0.1\" length=\"0.06\"/>",
                                      "<origin rpy=\"0 1.5707963267948966 0\"/>");
  const RoverDraft found = draft(cart(tyre, "-1 0 0"));
  EXPECT_THAT(found.notes[0], HasSubstr("90 degrees to its left"));
  EXPECT_EQ(found.chassis, "grouser_forward");
  const World world = load(found);
  const RoverPlan plan = plan_rover(world, world.rovers[0]);
  // y of the robot is forward: w0 at (0.3, 0.2) is the front right wheel.
  EXPECT_NEAR(plan.wheels[0].x, 0.2, 1e-9);
  EXPECT_NEAR(plan.wheels[0].y, -0.3, 1e-9);
  EXPECT_EQ(plan.drive_sign[0], 1);
}

TEST_F(RoverDraftTest, CrookedCylindersAndSpheresAreSaid) {
  const RoverDraft crooked = draft(cart(made_shape("<cylinder radius=\"0.1\" length=\"0.06\"/>")));
  EXPECT_THAT(crooked.notes[0], HasSubstr("does not lie along the axis"));
  EXPECT_EQ(crooked.wheels[0].radius, 0.1);
  const RoverDraft spheres = draft(cart(made_shape("<sphere radius=\"0.1\"/>")));
  EXPECT_THAT(spheres.notes[0], HasSubstr("the width of a sphere"));
  EXPECT_NEAR(spheres.wheels[0].width, 0.1, 1e-12);
}

TEST_F(RoverDraftTest, WhatSpinsAboveTheGroundIsNoWheel) {
  const RoverDraft found =
      draft(cart(kTyre, "0 1 0",
                 made_link("drum", kTyre) +
                     made_joint("drum_joint", "continuous", "base", "drum", "0 0 0.5", "0 1 0")));
  EXPECT_EQ(found.wheels.size(), 4u);
  EXPECT_THAT(found.notes[0], HasSubstr("'drum' turns and is round, but ends 0.5 m above"));
  EXPECT_THAT(found.held_joints, ElementsAre("drum_joint"));
}

TEST_F(RoverDraftTest, WheelsWithoutTransmissionOnlyRoll) {
  std::string motors;
  for (const char* name : {"w0_joint", "w1_joint"}) {
    motors +=
        std::string("<transmission name=\"t\"><joint name=\"") + name + "\"/></transmission>\n";
  }
  const RoverDraft found = draft(cart(kTyre, "0 1 0", motors));
  EXPECT_TRUE(found.wheels[0].driven);
  EXPECT_FALSE(found.wheels[3].driven);
  EXPECT_EQ(found.motors.size(), 2u);
  EXPECT_THAT(found.scene.text, HasSubstr("wheels: [w0, w1]"));
  load(found);
}

// Two wheels and a ball, as many small robots have.
TEST_F(RoverDraftTest, BallsCarryWithTheWheels) {
  std::string text = "<robot name=\"r\">" + made_link("base");
  for (const char* side : {"0.2", "-0.2"}) {
    const std::string name = std::string("w") + (side[0] == '-' ? "r" : "l");
    text += made_link(name, kTyre) + made_joint(name + "_j", "continuous", "base", name,
                                                std::string("0 ") + side + " 0", "0 1 0");
  }
  text += made_link("ball", made_shape("<sphere radius=\"0.03\"/>") +
                                "<visual><geometry><sphere radius=\"0.03\"/></geometry></visual>") +
          made_joint("ball_j", "fixed", "base", "ball", "-0.2 0 -0.07", "0 1 0") + "</robot>";
  RoverDraftOptions options;
  options.ground = GroundKind::hard;
  const RoverDraft found = draft(text, options);
  EXPECT_THAT(found.notes[0], HasSubstr("'ball' reaches as low as the wheels"));
  EXPECT_THAT(found.scene.text,
              HasSubstr("bodies: [r/ball], group: rover, shape: {sphere: {radius: 0.03}"));
  load(found);
  EXPECT_FALSE(load(draft(text)).contacts.empty());
}

// Rockers that nothing ties let the chassis swing.
TEST_F(RoverDraftTest, MissingDifferentialsAreAdded) {
  std::string text =
      "<robot name=\"r\">" + made_link("base", {}, "ixx=\"1\" iyy=\"1\" izz=\"1\"", "10");
  for (const char* side : {"l", "r"}) {
    const std::string s = side, y = s == "l" ? "0.3" : "-0.3", axis = s == "l" ? "0 1 0" : "0 -1 0";
    text += made_link(s) + made_joint(s + "_pivot", "continuous", "base", s, "0 " + y + " 0", axis);
    for (const char* end : {"f", "b"}) {
      const std::string name = s + end;
      text += made_link(name, kTyre) +
              made_joint(name + "_drive", "continuous", s, name,
                         std::string(*end == 'f' ? "0.3" : "-0.3") + " 0 -0.2", "0 1 0");
    }
  }
  const RoverDraft found = draft(text + "</robot>");
  EXPECT_THAT(found.free_joints, ElementsAre("l_pivot", "r_pivot"));
  EXPECT_THAT(found.scene.text, HasSubstr("joints: {r/l_pivot: 1, r/r_pivot: -1}"));
  EXPECT_EQ(load(found).model.loops().size(), 1u);
}

TEST_F(RoverDraftTest, RobotsTiedToTheWorldAreRefused) {
  const auto found =
      issues_of("<robot name=\"r\"><link name=\"world\"/>" + made_link("base") +
                made_joint("weld", "fixed", "world", "base", "0 0 1", "1 0 0") + "</robot>");
  EXPECT_THAT(found[0].message, HasSubstr("ties the robot to the link 'world'"));
}

// Moments 0.1, 0.2, 0.5 are sums of second moments 0.3, 0.2, -0.1 of which the last must not be.
TEST(InertiaRepair, ClipsSecondMoments) {
  RigidInertia inertia{.mass = 2};
  inertia.about_com = Vec3(0.1, 0.2, 0.5).asDiagonal();
  const Mat3 fixed = balanced(inertia).about_com;
  EXPECT_NEAR(fixed(0, 0), 0.2 + 0.0003, 1e-12);
  EXPECT_NEAR(fixed(1, 1), 0.3 + 0.0003, 1e-12);
  EXPECT_NEAR(fixed(2, 2), 0.5, 1e-12);
  EXPECT_STREQ(physical_defect(balanced(inertia)), "");
  // What is possible stays.
  inertia.about_com = Vec3(0.3, 0.4, 0.5).asDiagonal();
  EXPECT_LT((balanced(inertia).about_com - inertia.about_com).norm(), 1e-15);
}

TEST_F(RoverDraftTest, ImpossibleInertiasAreExplainedAndMended) {
  const std::string bad =
      cart(kTyre, "0 1 0",
           made_link("arm", made_shape("<box size=\"0.2 0.2 0.2\"/>"),
                     "ixx=\"0.001\" iyy=\"0.002\" izz=\"0.01\"") +
               made_joint("arm_joint", "fixed", "base", "arm", "0 0 0.2", "0 1 0") +
               "<link name=\"hook\">" + made_shape("<box size=\"0.3 0.1 0.1\"/>") + "</link>" +
               made_joint("hook_joint", "continuous", "arm", "hook", "0 0 0.3", "0 1 0"));
  const auto issues = issues_of(bad);
  ASSERT_EQ(issues.size(), 2u);
  EXPECT_THAT(issues[0].message, HasSubstr("triangle inequality"));
  EXPECT_EQ(issues[0].value, "0.001, 0.002, 0.01 kg m²: 0.001 + 0.002 < 0.01");
  EXPECT_THAT(issues[0].legal, HasSubstr("with --fix"));
  EXPECT_THAT(issues[1].message, HasSubstr("has no mass"));
  RoverDraftOptions options;
  options.fix = true;
  const RoverDraft found = draft(bad, options);
  ASSERT_EQ(found.changes.size(), 2u);
  EXPECT_THAT(found.changes[0], HasSubstr("link 'arm'"));
  const World world = load(found);
  const auto body = [&](const std::string& name) {
    return world.model.bodies()[static_cast<std::size_t>(world.model.find_body("cart/" + name))];
  };
  EXPECT_STREQ(physical_defect(body("arm").inertia), "");
  // A thousandth of the robot's 15 kg, as a homogeneous box: m/12 (y² + z²).
  EXPECT_NEAR(body("hook").inertia.mass, 0.015, 1e-12);
  EXPECT_NEAR(body("hook").inertia.about_com(0, 0), 0.015 / 12 * (0.01 + 0.01), 1e-12);
  EXPECT_NEAR(body("hook").inertia.about_com(1, 1), 0.015 / 12 * (0.09 + 0.01), 1e-12);
}

TEST_F(RoverDraftTest, PlaceholdersAreAWarning) {
  const std::string tiny =
      cart(kTyre, "0 1 0",
           made_link("dish", made_shape("<box size=\"0.5 0.5 0.5\"/>"),
                     "ixx=\"1e-6\" iyy=\"1e-6\" izz=\"1e-6\"") +
               made_joint("dish_joint", "continuous", "base", "dish", "0 0 0.5", "0 0 1"));
  const RoverDraft found = draft(tiny);
  ASSERT_EQ(found.warnings.size(), 1u);
  EXPECT_THAT(found.warnings[0].message, HasSubstr("far too small a moment of inertia"));
  RoverDraftOptions options;
  options.fix = true;
  EXPECT_EQ(draft(tiny, options).changes.size(), 1u);
}

TEST_F(RoverDraftTest, NonsenseIsRefused) {
  EXPECT_THAT(issues_of("")[0].message, HasSubstr("not valid XML"));
  EXPECT_THAT(issues_of("grouser: 1\n")[0].message, HasSubstr("not valid XML"));
  EXPECT_THAT(issues_of("<sdf version=\"1.6\"/>")[0].message,
              HasSubstr("is SDF, which is not read"));
  EXPECT_THAT(issues_of("<html/>")[0].message, HasSubstr("must be 'robot'"));
  EXPECT_THAT(issues_of("<robot name=\"r\"><link name=\"a\"/></robot>")[0].message,
              HasSubstr("no link has a mass"));
  EXPECT_THROW(draft_rover("no_such_file.urdf", {}), Error);
  RoverDraftOptions options;
  options.gravity = "marz";
  EXPECT_THROW(draft(cart(), options), Error);
  options.gravity = "mars";
  options.soil = "no_soil";
  EXPECT_THROW(draft(cart(), options), Error);
}

}  // namespace
}  // namespace grouser::internal
