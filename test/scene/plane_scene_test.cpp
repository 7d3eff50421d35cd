// Springy planes from scenes: the smallest contact model, whole.
#include "scene/plane/plane_scene.h"

#include <gmock/gmock.h>

#include "scene/scm/scm_scene.h"
#include "scene/world_builder.h"
#include "sim/simulation.h"
#include "support.h"

namespace grouser::internal {
namespace {

using testing::HasSubstr;

constexpr double kMass = 2, kGravity = 9.80665;

std::string ball_scene(const std::string& entry) {
  return "grouser: 1\nmodels: [{name: m, tree: {bodies: [{name: ball, mass: 2, shape: {sphere: "
         "{radius: 0.1}}}]}}]\ncontacts: [{model: plane, bodies: [m/ball], " +
         entry + "}]\n";
}

double height_after(const World& world, double time) {
  Simulation simulation(world);
  simulation.run_to(time);
  return simulation.sample().X_WB[0].p.z();
}

// A point carries the weight at the depth m g/k. It is let go above and creeps there with the
// time c/k = 0.1 s.
TEST(PlaneScene, BodyRestsWhereTheSpringCarriesIt) {
  const World world = load_text(
      ball_scene("points: [[0, 0, -0.1]], point: [0, 0, -0.101], stiffness: 1e4, damping: 1000"));
  EXPECT_NEAR(height_after(world, 3), -0.001 - kMass * kGravity / 1e4, 1e-9);
}

// Each entry has a plane of its own: here two walls of a groove, 45° steep, that share the weight. Each presses with
// F = m g/√2 at F/k, which lets the ball down by √2 of that.
TEST(PlaneScene, EntriesHavePlanesOfTheirOwn) {
  std::string scene = ball_scene("points: [[0, 0, 0]], normal: [1, 0, 1], friction: 0");
  scene.insert(scene.find("]\n", scene.find("contacts")),
               ", {model: plane, bodies: [m/ball], points: [[0, 0, 0]], normal: [-1, 0, 1], "
               "friction: 0}");
  EXPECT_NEAR(height_after(load_text(scene), 1), -kMass * kGravity / 1e5, 1e-9);
}

// The plane alone carries the rover: all forces together are its weight.
TEST(PlaneScene, WheelsStandOnTheirRims) {
  const World world = load_text(
      "grouser: 1\ngravity: mars\nmodels: [{name: rover, rover: exomars, position: [0, 0, 0.58]}]\n"
      "contacts: [{model: plane, wheels: all, stiffness: 1e5, damping: 3000}]\n");
  Simulation simulation(world);
  simulation.run_to(4);
  double load = 0;
  for (const WheelSample& wheel : simulation.sample().wheels) load += wheel.normal;
  EXPECT_NEAR(load / (world.model.total_mass() * -world.model.gravity().z()), 1, 0.02);
}

TEST(PlaneScene, ReportsWhatIsWrong) {
  const auto message = [](const std::string& entry) {
    const std::vector<Issue> issues = issues_of(ball_scene(entry));
    return issues.empty() ? "" : to_string(issues.front());
  };
  EXPECT_EQ(message("points: [[0, 0, 0]]"), "");
  EXPECT_THAT(message("stiffness: 1"), HasSubstr("the key 'points' is missing"));
  EXPECT_THAT(message("points: []"), HasSubstr("at least one"));
  EXPECT_THAT(message("points: [[0, 0, 0]], stifness: 1"), HasSubstr("did you mean 'stiffness'?"));
  EXPECT_THAT(message("points: [[0, 0, 0]], damping: -1"), HasSubstr("contacts[0].damping"));
  EXPECT_THAT(message("points: [[0, 0, 0]], normal: [0, 0, 0]"), HasSubstr("normal"));
}

/// The scene of the first test, made without YAML.
SceneData ball_data() {
  SceneData scene;
  scene.settings.integrator.method = IntegrationMethod::moreau_jean;
  ModelData model{.name = {"m", {}}};
  BodyData body{.name = {"ball", {}}};
  body.inertia.mass = kMass;
  body.inertia.about_com = Mat3::Identity() * (0.4 * kMass * 0.01);
  model.tree.bodies.push_back(body);
  scene.models.push_back(model);
  PlaneEntry entry;
  entry.names = {{"m/ball", {}}};
  entry.points = {Vec3(0, 0, -0.1)};
  entry.plane = {.point = Vec3(0, 0, -0.101), .stiffness = 1e4};
  scene.contacts.of<PlaneSceneContacts>().entries.push_back(entry);
  return scene;
}

TEST(SceneContacts, AreFilledWithoutYaml) {
  IssueList issues;
  const World world = build_world(ball_data(), {"made", {}}, issues);
  ASSERT_EQ(world.contacts.size(), 1u);
  EXPECT_EQ(world.contacts[0]->name(), "plane");
  EXPECT_NEAR(height_after(world, 3), -0.001 - kMass * kGravity / 1e4, 1e-9);
}

TEST(SceneContacts, CopiesAreDeep) {
  const SceneData scene = ball_data();
  SceneData copy = scene;
  copy.contacts.of<PlaneSceneContacts>().entries.clear();
  for (const auto& model : scene.contacts.models()) {
    EXPECT_EQ(model->empty(), model->words().front() != std::string("plane"));
  }
}

// Entries that come from no file name each other without lines.
TEST(SceneContacts, SoilTakesABodyOnce) {
  SceneData scene = ball_data();
  scene.ground = load_text(
                     "grouser: 1\nmodels: [{name: m, rover: mmx}]\nterrain: {surface: {size: "
                     "[2, 2]}, spacing: 0.1, soil: dry_sand}\n")
                     .ground;
  ScmEntry entry;
  entry.names = {{"m/ball", {}}, {"m/ball", {}}};
  scene.models[0].tree.bodies[0].visuals.push_back({.shape = SphereShape{.radius = 0.1}});
  scene.contacts.of<ScmSceneContacts>().entries.push_back(entry);
  IssueList issues;
  EXPECT_THROW(build_world(scene, {"made", {}}, issues), Error);
  ASSERT_EQ(issues.issues().size(), 1u);
  EXPECT_THAT(issues.issues()[0].message, HasSubstr("touches the soil already, by another entry"));
}

}  // namespace
}  // namespace grouser::internal
