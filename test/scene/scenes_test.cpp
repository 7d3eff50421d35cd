// The built-in scenes load, start with their loops closed, and are the files of scenes/.
#include <gtest/gtest.h>

#include <filesystem>

#include "contact/scm/scm_system.h"
#include "multibody/forward_dynamics.h"
#include "scene/builtin.h"
#include "sim/evaluate.h"
#include "sim/simulate.h"
#include "sim/stability.h"
#include "support.h"

namespace grouser::internal {
namespace {

TEST(Scenes, AreListedWithDescriptions) {
  std::vector<std::string> names;
  for (const BuiltinEntry& entry : builtin_scenes()) {
    names.push_back(entry.name);
    EXPECT_FALSE(entry.description.empty()) << entry.name;
  }
  for (const char* name :
       {"default", "four_bar", "pendulum", "rocker_differential", "tumbling", "winch"}) {
    EXPECT_NE(std::ranges::find(names, name), names.end()) << name;
  }
}

TEST(Scenes, LoadFromTheLibraryAndFromTheirFile) {
  for (const BuiltinEntry& entry : builtin_scenes()) {
    const World world = load_builtin_scene(entry.name);
    EXPECT_EQ(world.name, entry.name);
    EXPECT_EQ(world.scene_file, "builtin:" + entry.name);
    const std::filesystem::path file =
        std::filesystem::path(GROUSER_SOURCE_DIR) / "scenes" / (entry.name + ".yaml");
    const World again = load_scene(file);
    EXPECT_EQ(again.scene_file, file.string());
    EXPECT_EQ(again.scene_text, world.scene_text);
    EXPECT_TRUE(again.initial == world.initial);
  }
}

// The numbers in the files are rounded; projection must only have to mend that.
TEST(Scenes, StartWithClosedLoops) {
  for (const BuiltinEntry& entry : builtin_scenes()) {
    const World world = load_builtin_scene(entry.name);
    if (world.model.loop_row_count() == 0) continue;
    DynamicsScratch scratch(world.model);
    VecX q = world.initial.q, v = world.initial.v;
    const ProjectionReport report =
        project_onto_loops(world.model, 1e-10, scratch, q.data(), v.data());
    EXPECT_LT(report.before, 1e-5) << entry.name;  // measured: four_bar 4e-7
    EXPECT_LT(report.after, 1e-10) << entry.name;
  }
}

TEST(Scenes, HaveStepsThatTheirMethodsCanTake) {
  for (const BuiltinEntry& entry : builtin_scenes()) {
    const World world = load_builtin_scene(entry.name);
    for (const std::string& warning : stability_warnings(world, initial_state(world))) {
      ADD_FAILURE() << entry.name << ": " << warning;
    }
  }
}

TEST(Scenes, UnknownOnesAreReported) {
  try {
    load_builtin_scene("pendlum");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_STREQ(error.what(), "unknown built-in scene 'pendlum', did you mean 'pendulum'?");
  }
}

/// Mean loads of the wheels from a time on.
struct MeanLoads : Observer {
  void on_sample(const Sample& sample) override {
    if (sample.time < 0.5) return;
    loads.resize(sample.wheels.size());
    for (std::size_t w = 0; w < loads.size(); ++w) loads[w] += sample.wheels[w].normal;
    ++samples;
  }
  std::vector<double> loads;
  int samples = 0;
};

TEST(Scenes, DefaultStandsOnSoftSoilOnAllSixWheels) {
  World world = load_builtin_scene("default");
  // Every step: samples at the ticks of the soil's clock alone would see it just moved.
  world.settings.record_rate_hz = 500;
  EXPECT_EQ(world.model.gravity(), Vec3(0, 0, -3.72076));
  EXPECT_GT(world.ground->rocks.rocks.size(), 3u);
  EXPECT_GT(world.ground->loose_rocks.rocks.size(), 3u);
  ASSERT_EQ(find_contacts<ScmSystem>(world)->contacts().size(),
            6 + world.ground->loose_rocks.rocks.size());
  MeanLoads mean;
  simulate(world, initial_state(world), {.end_time = 0.98}, mean);  // it sets off at 1 s
  ASSERT_EQ(mean.loads.size(), 6U);
  double sum = 0;
  for (const double load : mean.loads) {
    EXPECT_GT(load / mean.samples, 10);
    sum += load / mean.samples;
  }
  EXPECT_NEAR(sum / (64.6 * 3.72076), 1, 0.02);  // measured 0.994
}

}  // namespace
}  // namespace grouser::internal
