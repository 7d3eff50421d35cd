// What a user is told before a run, through scenes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

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
std::vector<std::string> warnings_of(const std::string& text) {
  struct Listener : Observer {
    void on_warning(const std::string& warning) override {
      if (steps == 0) early.push_back(warning);
    }
    void on_step(double, long) override { ++steps; }
    long steps = 0;
    std::vector<std::string> early;
  } listener;
  const World world = load_scene_text(text, "test", ".");
  const RunReport report = simulate(world, initial_state(world), {.end_time = 0.004}, listener);
  EXPECT_EQ(listener.early, report.warnings);
  return report.warnings;
}

std::string rover_scene(const std::string& gravity, double spacing, const std::string& contacts) {
  return "grouser: 1\ngravity: " + gravity +
         "\nintegrator: {method: semi_implicit, step: 0.002}\n"
         "terrain: {surface: {size: [6, 4], spacing: 0.1, noise: {rms_deviation: 0}}, spacing: " +
         std::to_string(spacing) +
         ", soil: dry_sand}\n"
         "models: [{name: rover, rover: four_wheel, position: [0, 0, 0.26], on_ground: true}]\n" +
         contacts;
}

TEST(StartWarnings, ARoverThatTouchesNothingFallsThrough) {
  EXPECT_THAT(warnings_of(rover_scene("mars", 0.02, "")),
              Contains(AllOf(HasSubstr("rover"), HasSubstr("falls through"))));
  EXPECT_THAT(warnings_of(rover_scene("mars", 0.02, "contacts: [{model: bwr, wheels: all}]\n")),
              Not(Contains(HasSubstr("falls through"))));
}

TEST(StartWarnings, BodiesWithoutContactsFallThrough) {
  const std::string text = R"(grouser: 1
integrator: {method: semi_implicit, step: 0.002}
terrain: {surface: {size: [3, 3], spacing: 0.1, noise: {rms_deviation: 0}}, soil: dry_sand}
models:
  - name: ball
    position: [0, 0, 1]
    tree: {bodies: [{name: ball, mass: 1, shape: {sphere: {radius: 0.1}}}]}
)";
  EXPECT_THAT(warnings_of(text), Contains(HasSubstr("no 'contacts'")));
}

// four_wheel's wheels are 0.2 m wide: a third is 66.7 mm.
TEST(StartWarnings, AGridCoarserThanAThirdOfAWheel) {
  const std::string scm = "contacts: [{model: scm, wheels: all}]\n";
  EXPECT_THAT(warnings_of(rover_scene("mars", 0.07, scm)),
              Contains(AllOf(HasSubstr("0.07 m is too coarse"), HasSubstr("0.2 m wide"))));
  EXPECT_THAT(warnings_of(rover_scene("mars", 0.066, scm)), Not(Contains(HasSubstr("too coarse"))));
}

// 73 kg on four wheels are 0.10 N each on Phobos (0.0057 m/s²) and 67.7 N on Mars.
TEST(StartWarnings, DefaultsOfTerraWhereNobodyTriedThem) {
  const std::string terra = "contacts: [{model: terra, wheels: all}]\n";
  const std::vector<std::string> phobos = warnings_of(rover_scene("[0, 0, -0.0057]", 0.02, terra));
  EXPECT_THAT(phobos,
              Contains(AllOf(HasSubstr("TerRA's default"), HasSubstr("load per wheel 0.104"),
                             HasSubstr("gravity 0.0057"))));
  EXPECT_THAT(warnings_of(rover_scene("mars", 0.02, terra)), Not(Contains(HasSubstr("TerRA"))));
  const std::string fitted = "contacts: [{model: terra, wheels: all, dig: 0.5, compaction: 1}]\n";
  EXPECT_THAT(warnings_of(rover_scene("[0, 0, -0.0057]", 0.02, fitted)),
              Not(Contains(HasSubstr("TerRA"))));
}

/// Two boxes, their middles at these heights [m] above hard ground.
std::string boxes(const std::string& method, double low, double high) {
  const auto box = [](const std::string& name, double height) {
    return "  - {name: " + name + ", position: [0, 0, " + std::to_string(height) +
           "], tree: {bodies: [{name: box, mass: 1, shape: {box: [0.4, 0.4, 0.4]}}]}}\n";
  };
  return "grouser: 1\nintegrator: {method: " + method + ", step: 0.0002}\n" + R"(
terrain: {surface: {size: [4, 4], spacing: 0.1, noise: {rms_deviation: 0}}, soil: dry_sand}
contacts:
  - {model: bbcc, bodies: [low/box, high/box]}
  - {model: bbcc, terrain: true}
models:
)" + box("low", low) +
         box("high", high);
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
