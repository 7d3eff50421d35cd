// The built-in scenes load, start with their loops closed, and are the files of scenes/.
#include <gtest/gtest.h>

#include <filesystem>

#include "multibody/forward_dynamics.h"
#include "scene/builtin.h"
#include "sim/evaluate.h"
#include "sim/simulate.h"
#include "support.h"

namespace grouser {
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

TEST(Scenes, UnknownOnesAreReported) {
  try {
    load_builtin_scene("pendlum");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_STREQ(error.what(), "unknown built-in scene 'pendlum', did you mean 'pendulum'?");
  }
}

TEST(Scenes, DefaultStandsOnSoftSoilOnAllSixWheels) {
  const World world = load_builtin_scene("default");
  EXPECT_EQ(world.model.gravity(), Vec3(0, 0, -3.72076));
  ASSERT_EQ(world.soil_contacts.size(), 6U);
  const State state = initial_state(world);
  WorldScratch scratch(world);
  evaluate(world, 0, state.q.data(), state.v.data(), state, scratch);
  double load = 0;
  for (const ScmReaction& reaction : scratch.soil.reactions) {
    load += reaction.wrench.force.z();
  }
  // Set down about as deep as it stands: 64.6 kg on Mars weigh 240 N.
  EXPECT_NEAR(load, 240, 150);
}

}  // namespace
}  // namespace grouser
