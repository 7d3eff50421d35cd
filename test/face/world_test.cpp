// Worlds through the public face: only what libgrouser.so shows is linked here.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "grouser/simulation.h"
#include "support/temporary_folder.h"

namespace grouser {
namespace {

const char* const kCart = R"(grouser: 1
gravity: mars
duration: 3
terrain: {surface: {size: [6, 4]}, spacing: 0.05, soil: dry_sand}
models: [{name: rover, rover: exomars, on_ground: true, position: [-1, 0.25, 0.57]}]
contacts: [{model: terra, wheels: all, dig: 0.1}]
commands: [{wheels: all, ground_speed: 0.1}]
)";

Value cart() {
  return Map{{"gravity", "mars"},
             {"duration", 3},
             {"terrain",
              Map{{"surface", Map{{"size", List{6, 4}}}}, {"spacing", 0.05}, {"soil", "dry_sand"}}},
             {"models", List{Map{{"name", "rover"},
                                 {"rover", "exomars"},
                                 {"on_ground", true},
                                 {"position", Vec3{-1, 0.25, 0.57}}}}},
             {"contacts", List{Map{{"model", "terra"}, {"wheels", "all"}, {"dig", 0.1}}}},
             {"commands", List{Map{{"wheels", "all"}, {"ground_speed", 0.1}}}}};
}

std::uint64_t hash_after(const World& world, double time) {
  Simulation simulation(world);
  simulation.run_to(time);
  return simulation.state().hash();
}

// The same scene as text, as values, and as the text that a checkpoint keeps of the values.
TEST(World, IsTheSameFromTextAndFromValues) {
  const std::uint64_t expected = hash_after(World::parse(kCart), 0.2);
  const World world = World::build(cart());
  EXPECT_EQ(hash_after(world, 0.2), expected);
  EXPECT_DOUBLE_EQ(world.duration(), 3);
}

TEST(World, KnowsItsNames) {
  const World world = World::parse(kCart);
  EXPECT_EQ(world.wheels().size(), 6u);
  EXPECT_EQ(world.rovers(), std::vector<std::string>{"rover"});
  EXPECT_EQ(world.contacts().size(), 16u);  // wheels first, then the other bodies
  EXPECT_NE(world.contacts()[0].find("(terra)"), std::string::npos);
  EXPECT_TRUE(world.has_ground());
  EXPECT_EQ(world.ground_at(1, 1).height, 0);
  EXPECT_EQ(world.ground_at(1, 1).normal, (Vec3{0, 0, 1}));
  EXPECT_THROW(World::builtin("pendulum").ground_at(0, 0), Error);
}

TEST(World, KnowsWhatIsBuiltIn) {
  for (const std::string& scene : builtin_scenes())
    EXPECT_GT(World::builtin(scene).total_mass(), 0);
  EXPECT_EQ(builtin_rovers().size(), 4u);
  EXPECT_GE(builtin_soils().size(), 10u);
}

class WorldFiles : public internal::TemporaryFolderTest {};

/// All findings of a scene that will not do.
std::vector<Issue> findings(const Value& scene) {
  try {
    World::build(scene);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.issues();
  }
  return {};
}

TEST(World, NamesEveryMistakeOfValuesByItsField) {
  const auto issues = findings(
      Map{{"gravty", "mars"},
          {"duration", -1},
          {"models",
           List{Map{{"name", "body"},
                    {"tree", Map{{"bodies", List{Map{{"name", "a"}, {"mass", std::nan("")}}}}}}}}},
          {"duration", 2}});
  ASSERT_GE(issues.size(), 4u);
  std::string all;
  for (const Issue& issue : issues) all += to_string(issue) + '\n';
  for (const char* part :
       {"scene: gravty: unknown key", "did you mean 'gravity'", "scene: duration: ", "(got -1",
        "duration: is given twice", "models[0].tree.bodies[0].mass: must be a finite number"}) {
    EXPECT_NE(all.find(part), std::string::npos) << part << "\nin\n" << all;
  }
}

// Of other types, truths do not come about by themselves, nor do lists lose a level.
TEST(Value, HoldsWhatItWasGiven) {
  const Value list = List{Value(List{1, 2})};
  ASSERT_EQ(list.list()->size(), 1u);
  EXPECT_EQ((*list.list())[0].list()->size(), 2u);
  EXPECT_EQ(Value(Map{{"a", 1}}).map()->size(), 1u);
  EXPECT_EQ(*Value(std::size_t{7}).number(), 7);
  EXPECT_EQ(*Value("text").text(), "text");
  EXPECT_EQ(*Value(std::string_view("text")).text(), "text");
  EXPECT_TRUE(*Value(true).truth());
  EXPECT_EQ(Value(1).truth(), nullptr);
  EXPECT_EQ(Value().number(), nullptr);
  EXPECT_FALSE((std::is_constructible_v<Value, const void*>));
}

TEST(World, RefusesWhatIsNoMap) {
  EXPECT_FALSE(findings(List{1, 2}).empty());
  EXPECT_FALSE(findings(Value()).empty());
  EXPECT_FALSE(findings(Map{}).empty());
}

// Texts of any kind survive on their way into a checkpoint and back.
TEST_F(WorldFiles, TextsNeedNoQuotes) {
  Map scene = *cart().map();
  const std::string text = "a: \"b\" # c\n\t- 'd' \\ 12 µm";
  scene.push_back({"description", text});
  scene.push_back({"name", "12"});
  const World world = World::build(scene);
  EXPECT_EQ(world.name(), "12");
  const auto file = folder_ / "state.h5";
  Simulation simulation(world);
  simulation.run_to(0.1);
  simulation.state().save(file, world);
  EXPECT_EQ(State::load(file, World::build(scene)), simulation.state());
  EXPECT_THROW(State::load(file, World::builtin("pendulum")), Error);
}

TEST_F(WorldFiles, ReadsFilesRelativeToTheirFolder) {
  std::ofstream(folder_ / "tree.yaml")
      << "bodies: [{name: a, mass: 2, shape: {sphere: {radius: 0.1}}}]\n";
  const Map scene{{"models", List{Map{{"name", "m"}, {"file", "tree.yaml"}}}}};
  EXPECT_EQ(World::build(scene, folder_).total_mass(), 2);
  EXPECT_THROW(World::build(scene), Error);
}

}  // namespace
}  // namespace grouser
