#include "multibody/model_checks.h"

#include <functional>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "multibody/test_models.h"

namespace grouser::internal {
namespace {

using testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kUnlimited = std::numeric_limits<double>::infinity();

/// base (free) - arm (revolute, velocity 6) - hand (universal, 7 and 8); velocities 0-5 are free.
ModelSpec sound_model() {
  const auto body = [](const char* name, int parent, JointType type) {
    BodySpec spec;
    spec.name = name;
    spec.inertia = {2, Vec3(0.1, 0.2, 0.3), Mat3::Identity()};
    spec.parent = parent;
    spec.joint.name = std::string(name) + "_joint";
    spec.joint.type = type;
    return spec;
  };
  ModelSpec spec;
  spec.bodies = {body("base", kWorld, JointType::free), body("arm", 0, JointType::revolute),
                 body("hand", 1, JointType::universal)};
  return spec;
}

std::vector<Issue> issues_of(const ModelSpec& spec) {
  try {
    const Model model(spec);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.issues();
  }
  return {};
}

struct Defect {
  const char* field;    ///< as the issue must name it
  const char* message;  ///< part of it
  std::function<void(ModelSpec&)> cause;
};

void expect_found(const std::vector<Defect>& defects) {
  for (const Defect& defect : defects) {
    ModelSpec spec = sound_model();
    defect.cause(spec);
    const std::vector<Issue> issues = issues_of(spec);
    const auto match = [&](const Issue& issue) {
      return issue.field == defect.field && issue.message.find(defect.message) != std::string::npos;
    };
    EXPECT_TRUE(std::any_of(issues.begin(), issues.end(), match))
        << defect.field << ": " << defect.message << "\nfound "
        << (issues.empty() ? "nothing" : to_string(issues[0]));
  }
}

TEST(ModelChecks, AcceptASoundModel) { EXPECT_TRUE(issues_of(sound_model()).empty()); }

TEST(ModelChecks, BodiesAndTheirPlaceInTheTree) {
  expect_found({
      {"body ''.name", "must not be empty", [](ModelSpec& s) { s.bodies[1].name = ""; }},
      {"body 'base'.name", "used twice", [](ModelSpec& s) { s.bodies[1].name = "base"; }},
      {"body 'arm'.joint.name", "used twice",
       [](ModelSpec& s) { s.bodies[1].joint.name = "base_joint"; }},
      {"body 'arm'.parent", "listed before", [](ModelSpec& s) { s.bodies[1].parent = 1; }},
      {"body 'arm'.parent", "listed before", [](ModelSpec& s) { s.bodies[1].parent = -2; }},
      {"body 'hand'.parent", "stand together",
       [](ModelSpec& s) {
         s.bodies[1].parent = kWorld;
         s.bodies[2].parent = 0;
       }},
      {"body 'arm'.inertia", "negative", [](ModelSpec& s) { s.bodies[1].inertia.mass = -1; }},
      {"gravity", "finite", [](ModelSpec& s) { s.gravity.x() = kNan; }},
  });
}

TEST(ModelChecks, Joints) {
  expect_found({
      {"body 'arm'.joint.pose", "rotation",
       [](ModelSpec& s) { s.bodies[1].joint.X_PF.R *= 1.001; }},
      {"body 'arm'.joint.pose", "rotation",
       [](ModelSpec& s) { s.bodies[1].joint.X_PF.R = -Mat3::Identity(); }},
      {"body 'arm'.joint.pose", "finite",
       [](ModelSpec& s) { s.bodies[1].joint.X_PF.p.z() = kUnlimited; }},
      {"body 'arm'.joint.axis", "unit", [](ModelSpec& s) { s.bodies[1].joint.axis *= 2; }},
      {"body 'hand'.joint.axis2", "unit",
       [](ModelSpec& s) { s.bodies[2].joint.axis2 = Vec3::Zero(); }},
      {"body 'hand'.joint.axis2", "parallel",
       [](ModelSpec& s) { s.bodies[2].joint.axis2 = -s.bodies[2].joint.axis; }},
      {"body 'arm'.joint", "hangs on the world",
       [](ModelSpec& s) { s.bodies[1].joint.type = JointType::free; }},
      {"body 'base'.joint", "hangs on the world",
       [](ModelSpec& s) { s.bodies[0].joint.X_PF.p.x() = 1; }},
      {"body 'hand'.joint.laws", "once or for each",
       [](ModelSpec& s) { s.bodies[2].joint.laws.resize(3); }},
      {"body 'base'.joint", "neither armature nor stiffness",
       [](ModelSpec& s) { s.bodies[0].joint.laws = {{.armature = 1}}; }},
      {"body 'base'.joint", "neither armature nor stiffness",
       [](ModelSpec& s) { s.bodies[0].joint.laws = {{.stiffness = 1}}; }},
      {"body 'hand'.joint", "no stops",
       [](ModelSpec& s) {
         s.bodies[2].joint.type = JointType::spherical;
         s.bodies[2].joint.laws = {{.upper = 1}};
       }},
      {"body 'hand'.joint", "the same stiffness",
       [](ModelSpec& s) {
         s.bodies[2].joint.type = JointType::spherical;
         s.bodies[2].joint.laws = {{.stiffness = 1}, {.stiffness = 1}, {.stiffness = 2}};
       }},
  });
}

TEST(ModelChecks, PassiveLaws) {
  const auto with = [](const DofLaw& law) {
    return [law](ModelSpec& s) { s.bodies[1].joint.laws = {law}; };
  };
  expect_found({
      {"body 'arm'.armature", "not negative", with({.armature = -1})},
      {"body 'arm'.stiffness", "not negative", with({.stiffness = kNan})},
      {"body 'arm'.rest", "finite", with({.rest = kUnlimited})},
      {"body 'arm'.damping", "not negative", with({.damping = -1})},
      {"body 'arm'.friction", "not negative", with({.friction = kUnlimited})},
      {"body 'arm'.friction_speed", "positive", with({.friction_speed = 0})},
      {"body 'arm'.stop_stiffness", "positive", with({.stop_stiffness = 0})},
      {"body 'arm'.stop_damping", "not negative", with({.stop_damping = -1})},
      {"body 'arm'.lower", "below the upper", with({.lower = 1, .upper = 1})},
      {"body 'arm'.lower", "below the upper", with({.lower = kNan})},
  });
}

TEST(ModelChecks, Loops) {
  const auto with = [](auto law) { return [law](ModelSpec& s) { s.loops = {{"link", law}}; }; };
  const BodyPoint arm{.body = 1}, hand{.body = 2};
  expect_found({
      {"loop 'link'.a", "does not exist", with(BallLoop{{.body = 3}, hand})},
      {"loop 'link'.b", "does not exist", with(BallLoop{arm, {.body = -2}})},
      {"loop 'link'.b", "finite", with(BallLoop{arm, {2, Vec3::Constant(kNan)}})},
      {"loop 'link'.b", "another body", with(BallLoop{arm, arm})},
      {"loop 'link'.axis_a", "unit", with(HingeLoop{arm, hand, Vec3::Ones(), Vec3::UnitX()})},
      {"loop 'link'.axis_b", "unit", with(HingeLoop{arm, hand, Vec3::UnitX(), Vec3::Zero()})},
      {"loop 'link'.length", "positive", with(DistanceLoop{arm, hand, 0})},
      {"loop 'link'.terms", "at least one", with(CouplingLoop{})},
      {"loop 'link'.terms", "must name", with(CouplingLoop{{{5, 1}}})},  // of the free joint
      {"loop 'link'.terms", "must name", with(CouplingLoop{{{9, 1}}})},
      {"loop 'link'.terms", "must name", with(CouplingLoop{{{-1, 1}}})},
      {"loop 'link'.terms", "factor", with(CouplingLoop{{{6, 0}}})},
      {"loop 'link'.offset", "finite", with(CouplingLoop{{{6, 1}}, kNan})},
  });
}

TEST(ModelChecks, Actuators) {
  const auto with = [](const Actuator& actuator) {
    return [actuator](ModelSpec& s) { s.actuators = {actuator}; };
  };
  expect_found({
      {"actuator 'm'.joint", "coordinate", with({.name = "m", .dof = 3})},
      {"actuator 'm'.joint", "coordinate", with({.name = "m", .dof = 9})},
      {"actuator 'm'.kp", "not negative", with({.name = "m", .dof = 6, .kp = -1})},
      {"actuator 'm'.kd", "not negative", with({.name = "m", .dof = 6, .kd = kNan})},
      {"actuator 'm'.max_effort", "positive", with({.name = "m", .dof = 6, .max_effort = 0})},
      {"actuator 'm'.joint", "revolute or prismatic",
       with({.name = "m", .type = ActuatorType::prescribed, .dof = 7})},
      {"actuator 'n'.joint", "two actuators",
       [](ModelSpec& s) {
         s.actuators = {{.name = "m", .dof = 6}, {.name = "n", .dof = 6}};
       }},
  });
}

TEST(ModelChecks, SpringsAndTethers) {
  const auto spring = [](const SpringDamper& element) {
    return [element](ModelSpec& s) { s.springs = {element}; };
  };
  const auto tether = [](const Tether& element) {
    return [element](ModelSpec& s) { s.tethers = {element}; };
  };
  const BodyPoint arm{.body = 1}, hand{.body = 2};
  expect_found({
      {"spring 'e'.b", "another body", spring({.name = "e"})},
      {"spring 'e'.stiffness", "not negative",
       spring({.name = "e", .a = arm, .b = hand, .stiffness = -1})},
      {"spring 'e'.damping", "not negative",
       spring({.name = "e", .a = arm, .b = hand, .damping = -1})},
      {"spring 'e'.rest_length", "not negative",
       spring({.name = "e", .a = arm, .b = hand, .rest_length = -1})},
      {"tether 'e'.a", "does not exist", tether({.name = "e", .a = {.body = 7}})},
      {"tether 'e'.stiffness", "positive",
       tether({.name = "e", .a = arm, .b = hand, .stiffness = 0})},
      {"tether 'e'.damping", "not negative",
       tether({.name = "e", .a = arm, .b = hand, .damping = -1})},
      {"tether 'e'.length", "not negative",
       tether({.name = "e", .a = arm, .b = hand, .length = kNan})},
      {"tether 'e'.rate", "finite", tether({.name = "e", .a = arm, .b = hand, .rate = kNan})},
      {"tether 'e'.rate_end", "before rate_start",
       tether({.name = "e", .a = arm, .b = hand, .rate_start = 2, .rate_end = 1})},
  });
}

TEST(ModelChecks, AllDefectsAreReportedAtOnce) {
  ModelSpec spec = sound_model();
  spec.bodies[0].inertia.mass = -1;
  spec.bodies[1].joint.axis.setZero();
  spec.bodies[2].joint.laws = {{.damping = -1, .friction = -1}};
  EXPECT_EQ(issues_of(spec).size(), 4u);
}

TEST(ModelChecks, IssueTellsValueAndLegalRange) {
  ModelSpec spec = sound_model();
  spec.bodies[1].joint.laws = {{.damping = -3}};
  const std::vector<Issue> issues = issues_of(spec);
  ASSERT_EQ(issues.size(), 1u);
  EXPECT_EQ(issues[0].value, "-3");
  EXPECT_EQ(issues[0].legal, ">= 0");
}

std::vector<std::string> fields_of(const ModelSpec& spec) {
  std::vector<std::string> fields;
  for (const Issue& issue : issues_of(spec)) {
    EXPECT_THAT(issue.message, HasSubstr("mass or inertia"));
    fields.push_back(issue.field);
  }
  return fields;
}

TEST(MassCheck, NamesTheJointsThatMoveNothing) {
  ModelSpec spec = pendulum_chain(3);
  spec.bodies[2].inertia = {};
  EXPECT_EQ(fields_of(spec), (std::vector<std::string>{"body 'link2'"}));
  // A point on the axis of its joint has mass but no inertia for the joint to turn.
  spec.bodies[2].inertia.mass = 1;
  EXPECT_EQ(fields_of(spec), (std::vector<std::string>{"body 'link2'"}));
  // Two massless links in a row.
  spec.bodies[1].inertia = spec.bodies[2].inertia = {};
  EXPECT_EQ(fields_of(spec), (std::vector<std::string>{"body 'link1'", "body 'link2'"}));
}

TEST(MassCheck, AcceptsMasslessBodiesThatMoveSomething) {
  ModelSpec spec = pendulum_chain(3);
  spec.bodies[0].inertia = spec.bodies[1].inertia = {};  // the last link swings with them
  EXPECT_EQ(fields_of(spec).size(), 0u);
}

TEST(MassCheck, AcceptsArmatureAndPrescribedMotionInsteadOfMass) {
  ModelSpec spec = pendulum_chain(3);
  spec.bodies[2].inertia = {};
  spec.bodies[2].joint.laws = {{.armature = 0.1}};
  EXPECT_EQ(fields_of(spec).size(), 0u);
  spec.bodies[2].joint.laws.clear();
  spec.actuators = {{.name = "drive", .type = ActuatorType::prescribed, .dof = 2}};
  EXPECT_EQ(fields_of(spec).size(), 0u);
}

TEST(MassCheck, RejectsAFreePoint) {
  // Three velocities turn it in vain, be its centre of mass at the origin or off it.
  ModelSpec spec = one_body({.type = JointType::free}, {1, Vec3::Zero(), Mat3::Zero()});
  EXPECT_EQ(fields_of(spec).size(), 3u);
  spec.bodies[0].inertia.com = Vec3(0.1, 0.2, 0.3);
  EXPECT_EQ(fields_of(spec).size(), 3u);
}

}  // namespace
}  // namespace grouser::internal
