#include "scene/load_scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "math/rotation.h"
#include "sim/simulate.h"
#include "sim/stability.h"
#include "support.h"

namespace grouser::internal {
namespace {

const char* const kArm =
    "      bodies:\n"
    "        - {name: base, mass: 2, inertia: [1, 1, 1]}\n"
    "        - name: arm\n"
    "          mass: 1\n"
    "          inertia: [1, 1, 1]\n"
    "          joint: {name: hip, type: revolute, parent: base, axis: [0, 1, 0], damping: 0.1,\n"
    "                  lower: -2, upper: 2}\n"
    "      actuators:\n"
    "        - {joint: hip, type: velocity, kd: 1}\n";

TEST(LoadScene, FillsInDefaults) {
  const World world = load_text(scene_with_tree(kArm));
  EXPECT_EQ(world.name, "test");
  EXPECT_EQ(world.scene_file, "test.yaml");
  EXPECT_EQ(world.model.gravity(), Vec3(0, 0, -9.80665));
  EXPECT_EQ(world.settings.duration, 10);
  EXPECT_EQ(world.settings.seed, 1U);
  EXPECT_EQ(world.settings.integrator.method, IntegrationMethod::rk4);
  EXPECT_EQ(world.settings.integrator.step, 1e-3);
  EXPECT_EQ(world.settings.record_rate_hz, 50);
  EXPECT_EQ(world.settings.checkpoint_interval, 0);
  EXPECT_EQ(world.initial.time, 0);
  EXPECT_EQ(world.model.bodies()[1].name, "m/arm");
  EXPECT_EQ(world.model.bodies()[1].joint_name, "m/hip");
}

TEST(LoadScene, ReadsSettings) {
  const World world = load_text(
      "grouser: 1\nname: a name with blanks\ngravity: [0.1, 0, -3.69]\nduration: 3.5\nseed: 77\n"
      "integrator: {method: esdirk, step: 0.02, relative_tolerance: 1e-7,\n"
      "             absolute_tolerance: 1e-9, max_step: 0.01, max_steps: 500}\n"
      "record: {rate_hz: 100}\ncheckpoint: {interval: 2}\n"
      "models: [{name: r, rover: mmx}]\n");
  EXPECT_EQ(world.name, "a name with blanks");
  EXPECT_EQ(world.model.gravity(), Vec3(0.1, 0, -3.69));
  EXPECT_EQ(world.settings.duration, 3.5);
  EXPECT_EQ(world.settings.seed, 77U);
  EXPECT_EQ(world.settings.integrator.method, IntegrationMethod::esdirk);
  EXPECT_EQ(world.settings.integrator.step, 0.02);
  EXPECT_EQ(world.settings.integrator.relative_tolerance, 1e-7);
  EXPECT_EQ(world.settings.integrator.absolute_tolerance, 1e-9);
  EXPECT_EQ(world.settings.integrator.max_step, 0.01);
  EXPECT_EQ(world.settings.integrator.max_steps, 500);
  EXPECT_EQ(world.settings.record_rate_hz, 100);
  EXPECT_EQ(world.settings.checkpoint_interval, 2);
}

// Contact is stiff, so that explicit methods are for those who ask for them.
TEST(LoadScene, WorldsWithContactAreSteppedInTime) {
  const std::string body =
      "models: [{name: m, tree: {bodies: [{name: ball, mass: 1, shape: {sphere: {radius: "
      "0.1}}}]}}]\n";
  const std::string touching = body + "contacts: [{model: bbcc, bodies: [m/ball]}]\n";
  const auto options = [](const std::string& text) {
    return load_text("grouser: 1\n" + text).settings.integrator;
  };
  EXPECT_EQ(options(touching).method, IntegrationMethod::moreau_jean);
  EXPECT_EQ(options(touching).step, 1e-3);
  EXPECT_EQ(options("integrator: {step: 0.005}\n" + touching).method,
            IntegrationMethod::moreau_jean);
  EXPECT_EQ(options("integrator: {step: 0.005}\n" + touching).step, 0.005);
  EXPECT_EQ(options("integrator: {method: rk4}\n" + touching).method, IntegrationMethod::rk4);
  EXPECT_EQ(options(body).method, IntegrationMethod::rk4);
  EXPECT_EQ(options("contacts: []\n" + body).method, IntegrationMethod::rk4);
  EXPECT_EQ(load_text("grouser: 1\nintegrator: {step: 0.005}\n" + body).settings.integrator_line,
            2);
}

// The arm of 1 kg m² about its hip allows steps of 2.785 / 5000 s at most.
TEST(LoadScene, KnowsTheLineOfAServoThatIsTooStiff) {
  std::string arm = kArm;
  arm.replace(arm.find("kd: 1}"), 6, "kd: 5000}");
  const std::string text = scene_with_tree(arm);
  const std::string before = text.substr(0, text.find("kd: 5000"));
  const World world = load_text(text);
  try {
    stability_warnings(world, initial_state(world));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.issues().front().file, "test.yaml");
    EXPECT_EQ(error.issues().front().line, 1 + std::ranges::count(before, '\n'));
  }
}

TEST(LoadScene, PlacesAFreeBase) {
  const World world = load_text(
      "grouser: 1\nmodels:\n  - name: m\n    position: [1, 2, 3]\n    rpy_deg: [0, 0, 90]\n"
      "    velocity: [4, 5, 6]\n    angular_velocity: [7, 8, 9]\n    joints:\n"
      "      hip: {position_deg: 45, velocity: -2}\n    tree:\n" +
      std::string(kArm));
  const VecX &q = world.initial.q, &v = world.initial.v;
  ASSERT_EQ(q.size(), 8);
  const double half = std::sqrt(0.5);
  EXPECT_NEAR(q[0], half, 1e-15);
  EXPECT_NEAR(q[3], half, 1e-15);
  EXPECT_EQ(Vec3(q[4], q[5], q[6]), Vec3(1, 2, 3));
  EXPECT_NEAR(q[7], std::numbers::pi / 4, 1e-15);
  EXPECT_EQ(Vec3(v[0], v[1], v[2]), Vec3(7, 8, 9));
  EXPECT_EQ(Vec3(v[3], v[4], v[5]), Vec3(4, 5, 6));
  EXPECT_EQ(v[6], -2);
}

TEST(LoadScene, PlacesAFixedBase) {
  const World world = load_text(
      "grouser: 1\nmodels:\n  - name: m\n    base: fixed\n    position: [1, 2, 3]\n"
      "    rpy_deg: [0, 0, 90]\n    tree:\n" +
      std::string(kArm));
  EXPECT_EQ(world.model.velocity_size(), 1);
  const Pose& X = world.model.joints()[0].X_PF;
  EXPECT_EQ(X.p, Vec3(1, 2, 3));
  EXPECT_TRUE(X.R.isApprox(rotation_from_rpy({0, 0, std::numbers::pi / 2}), 1e-15));
}

TEST(LoadScene, MovesTreesThatHangByTheirOwnJoint) {
  const World world = load_text(
      "grouser: 1\nmodels:\n  - name: m\n    position: [0, 0, 5]\n    tree:\n      bodies:\n"
      "        - {name: a, mass: 1, inertia: [1, 1, 1], joint: {name: nail, type: spherical,\n"
      "           parent: world, position: [1, 0, 0]}}\n"
      "        - {name: b, mass: 1, inertia: [1, 1, 1], joint: {type: free, parent: world,\n"
      "           position: [0, 1, 0]}}\n"
      "    joints: {nail: {rpy_deg: [180, 0, 0], velocity: [1, 2, 3]}}\n");
  EXPECT_EQ(world.model.tree_count(), 2);
  EXPECT_EQ(world.model.joints()[0].X_PF.p, Vec3(1, 0, 5));
  EXPECT_EQ(world.model.joints()[1].X_PF.p, Vec3::Zero());
  EXPECT_NEAR(std::abs(world.initial.q[1]), 1, 1e-15);  // half a turn about x
  EXPECT_EQ(world.initial.v[2], 3);
  EXPECT_EQ(Vec3(world.initial.q.segment<3>(8)), Vec3(0, 1, 5));
  EXPECT_EQ(world.model.bodies()[1].joint_name, "m/b");
}

TEST(LoadScene, OverridesLawsOfJoints) {
  const World world = load_text(
      "grouser: 1\nmodels:\n  - name: m\n    joints: {hip: {damping: 7, upper_deg: 180}}\n"
      "    tree:\n" +
      std::string(kArm));
  const DofLaw& law = world.model.laws()[6];
  EXPECT_EQ(law.damping, 7);
  EXPECT_EQ(law.lower, -2);
  EXPECT_NEAR(law.upper, std::numbers::pi, 1e-15);
}

TEST(LoadScene, StartsAtTheStopNearestToZero) {
  const World world = load_text(scene_with_tree(
      "      bodies:\n"
      "        - {name: a, mass: 1, inertia: [1, 1, 1], joint: {type: prismatic, parent: world,\n"
      "           axis: [0, 0, 1], lower: 0.2, upper: 0.5}}\n"));
  EXPECT_EQ(world.initial.q[0], 0.2);
}

TEST(LoadScene, SortsBodiesOfAnyOrder) {
  const World world = load_text(scene_with_tree(
      "      bodies:\n"
      "        - {name: c, mass: 1, inertia: [1, 1, 1], joint: {type: fixed, parent: b}}\n"
      "        - {name: b, mass: 1, inertia: [1, 1, 1], joint: {type: fixed, parent: a}}\n"
      "        - {name: a, mass: 1, inertia: [1, 1, 1]}\n"));
  EXPECT_EQ(world.model.bodies()[0].name, "m/a");
  EXPECT_EQ(world.model.bodies()[2].name, "m/c");
}

TEST(LoadScene, ReadsTreesFromFilesRelativeToTheScene) {
  const TemporaryFolder folder("trees");
  folder.write("parts/rod.yaml",
               "bodies: [{name: rod, mass: 1, inertia: [1, 1, 1],"
               " shape: {mesh: {file: rod.stl, scale: [2, 2, 2]}}}]\n");
  const auto mesh = folder.write("parts/rod.stl", "solid rod\nendsolid rod\n");
  const auto scene =
      folder.write("scene.yaml", "grouser: 1\nmodels: [{name: m, file: parts/rod.yaml}]\n");
  const World world = load_scene(scene);
  ASSERT_EQ(world.visuals.size(), 1U);
  const auto& shape = std::get<MeshShape>(world.visuals[0].shape);
  EXPECT_EQ(shape.file, mesh.string());
  EXPECT_EQ(shape.scale, Vec3(2, 2, 2));
}

TEST(LoadScene, ReportsMistakesOfATreeFileInThatFile) {
  const TemporaryFolder folder("bad_tree");
  const auto tree = folder.write("tree.yaml", "bodies:\n  - name: rod\n    mass: -1\n");
  const auto scene = folder.write(
      "scene.yaml", "grouser: 1\nduration: -1\nmodels: [{name: m, file: tree.yaml}]\n");
  try {
    load_scene(scene);
    FAIL();
  } catch (const Error& error) {
    ASSERT_EQ(error.issues().size(), 3U) << error.what();
    EXPECT_EQ(error.issues()[0].file, scene.string());
    EXPECT_EQ(error.issues()[0].line, 2);
    EXPECT_EQ(error.issues()[1].file, tree.string());
    EXPECT_EQ(error.issues()[1].line, 2);  // no inertia
    EXPECT_EQ(error.issues()[2].line, 3);
    EXPECT_EQ(error.issues()[2].field, "bodies[0].mass");
  }
}

TEST(LoadScene, MissingFileIsBadInput) {
  try {
    load_scene("no/such/scene.yaml");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_STREQ(error.what(), "no/such/scene.yaml: no such file");
  }
}

TEST(LoadScene, RefersToSeveralModelsByPrefix) {
  const std::string models =
      "grouser: 1\nmodels: [{name: a, rover: mmx}, {name: b, rover: four_wheel}]\n";
  const World world = load_text(
      models +
      "tethers: [{name: t, a: {body: a/body}, b: {body: chassis}, stiffness: 1, length: 1}]\n"
      "events: [{name: e, joint: b/front_left_drive, velocity: 1, direction: rising, stop: "
      "true}]\n");
  EXPECT_EQ(world.model.tethers()[0].a.body, world.model.find_body("a/body"));
  EXPECT_EQ(world.model.tethers()[0].b.body, world.model.find_body("b/chassis"));
  EXPECT_EQ(
      world.events[0].index,
      world.model.joints()[static_cast<std::size_t>(world.model.find_joint("b/front_left_drive"))]
          .v);
  EXPECT_TRUE(world.events[0].stop);
  const auto issues =
      issues_of(models + "events: [{name: e, joint: front_left_drive, velocity: 1}]\n");
  ASSERT_EQ(issues.size(), 1U);
  EXPECT_EQ(issues[0].message, "the joint 'front_left_drive' exists in several models");
  EXPECT_EQ(issues[0].legal, "a/front_left_drive, b/front_left_drive");
}

TEST(LoadScene, IssuesCarryFieldValueAndRange) {
  const auto issues = issues_of("grouser: 1\nduration: -3\nmodels: [{name: r, rover: mmx}]\n");
  ASSERT_EQ(issues.size(), 1U);
  EXPECT_EQ(to_string(issues[0]),
            "test.yaml:2: duration: must be positive (got -3, legal: > 0 and <= 1e+07 [s])");
}

TEST(LoadScene, ModelFindingsGetTheirPlace) {
  const auto issues = issues_of(scene_with_tree(
      "      bodies:\n"
      "        - {name: a, mass: 1, inertia: [1, 1, 1]}\n"
      "        - {name: b, joint: {type: revolute, parent: a, axis: [0, 0, 1]}}\n"));
  ASSERT_EQ(issues.size(), 1U);
  EXPECT_EQ(issues[0].file, "test.yaml");
  EXPECT_EQ(issues[0].line, 7);
}

}  // namespace
}  // namespace grouser::internal
