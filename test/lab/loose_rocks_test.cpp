// Rocks that lie loose on hard ground and on soft soil.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "contact/scm/scm_system.h"
#include "geometry/tri_mesh.h"
#include "lab/scene_parts.h"
#include "multibody/kinematics.h"
#include "sim/simulate.h"

namespace grouser::internal {
namespace {

World rocks_on(const List& contacts) {
  const Map sizes{{"site", "pathfinder"}, {"min_diameter", 0.08}, {"max_diameter", 0.3}};
  const Map rocks{{"size", List{1.2, 1.2}}, {"sizes", sizes}, {"loose_below", 1}};
  const Map post{{"name", "post"}, {"mass", 1}, {"inertia", List{1, 1, 1}}};
  const Map scene{
      {"gravity", "mars"},
      {"integrator", fixed_step("moreau_jean", 0.002)},
      {"terrain", merged(level_sand(3, 3, 0.01), {{"rocks", rocks}})},
      {"models",
       List{Map{{"name", "m"}, {"base", "fixed"}, {"tree", Map{{"bodies", List{post}}}}}}},
      {"contacts", contacts}};
  return load_scene_values(scene, "f", ".");
}

const Map kRocksInSoil{{"model", "scm"}, {"rocks", true}};

struct Lying {
  double lowest = 0;   ///< point of any rock [m]
  double fastest = 0;  ///< of any rock's centre [m/s]
};

Lying after(const World& world, double end) {
  Observer nobody;
  const State state = simulate(world, initial_state(world), {.end_time = end}, nobody).state;
  Kinematics motion(world.model);
  forward_kinematics(world.model, state.q, state.v, motion);
  Lying lying{.lowest = INFINITY};
  for (const Visual& visual : world.visuals) {
    const TriMesh& mesh = *std::get<MadeShape>(visual.shape).mesh;
    const Pose& X_WB = motion.X_WB[static_cast<std::size_t>(visual.body)];
    const Twist twist = twist_at(world.model, motion, visual.body, X_WB.p);
    lying.fastest = std::max(lying.fastest, twist.linear.norm());
    for (const Vec3& p : mesh.vertices) lying.lowest = std::min(lying.lowest, (X_WB * p).z());
  }
  return lying;
}

TEST(LooseRocks, AreBodiesOfTheFieldsMass) {
  const World world = rocks_on({kRocksInSoil});
  const RockField& field = world.ground->loose_rocks;
  ASSERT_GT(field.rocks.size(), 2u);
  EXPECT_TRUE(world.ground->rocks.rocks.empty());
  const std::vector<ScmContact>& contacts = find_contacts<ScmSystem>(world)->contacts();
  ASSERT_EQ(contacts.size(), field.rocks.size());
  for (std::size_t r = 0; r < field.rocks.size(); ++r) {
    const auto body = static_cast<std::size_t>(contacts[r].body);
    EXPECT_EQ(world.model.bodies()[body].name, fmt::format("rocks/rock{}", r));
    EXPECT_EQ(world.model.bodies()[body].inertia.mass, field.rocks[r].mass);
  }
}

TEST(LooseRocks, RestOnHardGround) {
  const Map material{{"friction", 0.8}, {"restitution", 0}};
  const Map rocks{{"model", "bbcc"}, {"rocks", true}, {"material", material}};
  const Lying lying =
      after(rocks_on({rocks, merged(terrain_by("bbcc"), {{"material", material}})}), 8);
  EXPECT_LT(lying.fastest, 1e-9);
  EXPECT_GT(lying.lowest, -1e-4);  // they overlap by 20 um when they rest
  EXPECT_LT(lying.lowest, 0);
}

TEST(LooseRocks, SinkALittleIntoSand) {
  const Lying lying = after(rocks_on({kRocksInSoil}), 3);
  EXPECT_LT(lying.fastest, 0.02);
  EXPECT_GT(lying.lowest, -0.03);
  EXPECT_LT(lying.lowest, -0.001);
}

}  // namespace
}  // namespace grouser::internal
