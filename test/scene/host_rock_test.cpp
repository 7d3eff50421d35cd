// Contacts of a host beside soft soil: both bear a rover.
#include <gtest/gtest.h>

#include "scene/load_scene.h"
#include "sim/host_contacts.h"
#include "sim/simulation.h"

namespace grouser::internal {
namespace {

// A rock of the host stops the trunk before the wheels have sunk as far as they do alone. At rest wheels on soil and rock
// bear the weight together.
TEST(HostContacts, BearARoverBesideSoftSoil) {
  World world = load_scene_text(R"(grouser: 1
gravity: mars
integrator: {method: moreau_jean, step: 0.005}
terrain: {surface: {size: [4, 3]}, spacing: 0.05, soil: dry_sand}
models: [{name: rover, rover: exomars, on_ground: true, position: [0, 0, 0.565]}]
contacts: [{model: scm, wheels: all}]
)",
                                "f", ".");
  add_host_contacts(world);
  const auto soil_load = [](Simulation& simulation) {
    double load = 0;
    for (const WheelSample& wheel : simulation.sample().wheels) load += wheel.normal;
    return load;
  };
  const double weight = world.model.total_mass() * world.model.gravity().norm();
  Simulation alone(world);
  const BodyHandle trunk = alone.body("rover/trunk");
  const Vec3 belly = alone.sample().X_WB[static_cast<std::size_t>(trunk.index)].p;
  alone.run_to(4);
  EXPECT_NEAR(soil_load(alone), weight, 0.01 * weight);
  const Sample& sunk = alone.sample();
  const double way = belly.z() - sunk.X_WB[static_cast<std::size_t>(trunk.index)].p.z();
  const HostContact rock{.body_a = trunk.index,
                         .point = belly,
                         .gap = way - 0.3 * sunk.wheels[0].sinkage,
                         .friction = 0.5};
  Simulation simulation(world);
  simulation.set_contacts({&rock, 1});
  simulation.run_to(4);
  const double on_rock = simulation.host_contacts()[0].force.z();
  EXPECT_GT(on_rock, 0.05 * weight);
  EXPECT_LT(on_rock, 0.95 * weight);
  EXPECT_NEAR(soil_load(simulation) + on_rock, weight, 0.01 * weight);
}

}  // namespace
}  // namespace grouser::internal
