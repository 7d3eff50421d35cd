// What a user is told before a run, through scenes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "lab/scene_parts.h"
#include "scene/load_scene.h"
#include "sim/evaluate.h"
#include "sim/simulate.h"

namespace grouser::internal {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// What a run of a few steps warns of; all of it must have been said before the first step.
std::vector<std::string> warnings_of(const Map& scene) {
  struct Listener : Observer {
    void on_warning(const std::string& warning) override {
      if (steps == 0) early.push_back(warning);
    }
    void on_step(double, long) override { ++steps; }
    long steps = 0;
    std::vector<std::string> early;
  } listener;
  const World world = load_scene_values(scene, "test", ".");
  const RunReport report = simulate(world, initial_state(world), {.end_time = 0.004}, listener);
  EXPECT_EQ(listener.early, report.warnings);
  return report.warnings;
}

Map coarse_sand(double x, double y) {
  const Map noise{{"rms_deviation", 0}};
  return {{"surface", Map{{"size", List{x, y}}, {"spacing", 0.1}, {"noise", noise}}},
          {"soil", "dry_sand"}};
}

/// A rover on a grid of some spacing [m], with or without contact.
Map rover_scene(const Value& gravity, double spacing, const Map& contact = {}) {
  Map scene{{"gravity", gravity},
            {"integrator", fixed_step("semi_implicit", 0.002)},
            {"terrain", merged(coarse_sand(6, 4), {{"spacing", spacing}})},
            {"models", List{rover_above_ground("four_wheel", {0, 0, 0.26})}}};
  if (!contact.empty()) scene.push_back({"contacts", List{contact}});
  return scene;
}

TEST(StartWarnings, ARoverThatTouchesNothingFallsThrough) {
  EXPECT_THAT(warnings_of(rover_scene("mars", 0.02)),
              Contains(AllOf(HasSubstr("rover"), HasSubstr("falls through"))));
  EXPECT_THAT(warnings_of(rover_scene("mars", 0.02, all_wheels_by("bwr"))),
              Not(Contains(HasSubstr("falls through"))));
}

TEST(StartWarnings, BodiesWithoutContactsFallThrough) {
  const Map ball = model_of("ball", {0, 0, 1}, body_of("ball", 1, sphere_shape(0.1)));
  const Map scene{{"integrator", fixed_step("semi_implicit", 0.002)},
                  {"terrain", coarse_sand(3, 3)},
                  {"models", List{ball}}};
  EXPECT_THAT(warnings_of(scene), Contains(HasSubstr("no 'contacts'")));
}

// four_wheel's wheels are 0.2 m wide: a third is 66.7 mm.
TEST(StartWarnings, AGridCoarserThanAThirdOfAWheel) {
  const Map scm = all_wheels_by("scm");
  EXPECT_THAT(warnings_of(rover_scene("mars", 0.07, scm)),
              Contains(AllOf(HasSubstr("0.07 m is too coarse"), HasSubstr("0.2 m wide"))));
  EXPECT_THAT(warnings_of(rover_scene("mars", 0.066, scm)), Not(Contains(HasSubstr("too coarse"))));
}

// 73 kg on four wheels are 0.10 N each on Phobos (0.0057 m/s²) and 67.7 N on Mars.
TEST(StartWarnings, DefaultsOfTerraWhereNobodyTriedThem) {
  const Map terra = all_wheels_by("terra");
  const List phobos_gravity{0, 0, -0.0057};
  const std::vector<std::string> phobos = warnings_of(rover_scene(phobos_gravity, 0.02, terra));
  EXPECT_THAT(phobos,
              Contains(AllOf(HasSubstr("TerRA's default"), HasSubstr("load per wheel 0.104"),
                             HasSubstr("gravity 0.0057"))));
  EXPECT_THAT(warnings_of(rover_scene("mars", 0.02, terra)), Not(Contains(HasSubstr("TerRA"))));
  const Map fitted = merged(terra, {{"dig", 0.5}, {"compaction", 1}});
  EXPECT_THAT(warnings_of(rover_scene(phobos_gravity, 0.02, fitted)),
              Not(Contains(HasSubstr("TerRA"))));
}

/// Two boxes, their middles at these heights [m] above hard ground.
Map boxes(const char* method, double low, double high) {
  const auto box = [](const char* name, double height) {
    return model_of(name, {0, 0, height}, body_of("box", 1, box_shape(0.4, 0.4, 0.4)));
  };
  return {{"integrator", fixed_step(method, 0.0002)},
          {"terrain", coarse_sand(4, 4)},
          {"contacts", List{Map{{"model", "bbcc"}, {"bodies", List{"low/box", "high/box"}}},
                            terrain_by("bbcc")}},
          {"models", List{box("low", low), box("high", high)}}};
}

// Boxes of 0.4 m: one 20 mm in the ground, the other 30 mm in the first.
TEST(StartWarnings, BodiesThatOverlapByNameAndDepth) {
  for (const char* method : {"moreau_jean", "semi_implicit"}) {
    const std::vector<std::string> said = warnings_of(boxes(method, 0.18, 0.55));
    EXPECT_THAT(said, Contains(AllOf(HasSubstr("low"), HasSubstr("terrain"),
                                     HasSubstr("overlap by 0.02 m"))))
        << method;
    EXPECT_THAT(
        said, Contains(AllOf(HasSubstr("low"), HasSubstr("high"), HasSubstr("overlap by 0.03 m"))))
        << method;
    EXPECT_THAT(warnings_of(boxes(method, 0.2, 0.6)), IsEmpty()) << method;
  }
}

// 5 mm are 1.25 % of the boxes: rigid ones are moved by that, which is said; others give way.
TEST(StartWarnings, RigidBodiesThatOverlapByAFewMillimetres) {
  EXPECT_THAT(warnings_of(boxes("moreau_jean", 0.195, 0.8)),
              Contains(HasSubstr("overlap by 0.005 m")));
  EXPECT_THAT(warnings_of(boxes("semi_implicit", 0.195, 0.8)), IsEmpty());
}

// Bekker's plate by hand, r 0.15 m at 60 mm in DLR-A: 914.3 N (test/rigs/bevameter_test.cpp). A disc of 32 sides has
// 0.6 % less area; cells that hold a vertex count whole.
TEST(SoilContactOfScenes, PlatesFoundByTheirVerticesBearAsBekkerSays) {
  const World world = load_scene_text(R"(grouser: 1
gravity: [0, 0, -9.81]
terrain:
  surface: {size: [2, 2], spacing: 0.05, noise: {rms_deviation: 0}}
  spacing: 0.005
  soil: dlr_a
  scm: {detection: vertices}
contacts: [{model: scm, bodies: [plate/disc]}]
models:
  - name: plate
    position: [0, 0, 0.04]
    tree: {bodies: [{name: disc, mass: 1, shape: {cylinder: {radius: 0.15, length: 0.2}}}]}
)",
                                      "disc", ".");
  const State state = initial_state(world);
  WorldScratch scratch(world);
  evaluate(world, 0, state.q.data(), state.v.data(), state, Purpose::step, scratch);
  const double force = scratch.wrenches[0].force.z();
  const double larger = 1 + 0.005 / std::sqrt(2) / 0.15;
  EXPECT_GT(force, 0.97 * 914.3);
  EXPECT_LT(force, larger * larger * 914.3);
}

}  // namespace
}  // namespace grouser::internal
