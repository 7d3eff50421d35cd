// From Earth over Mars to the Moon a rover slips less on level, dry soil, by every model that follows the load.
#include <gtest/gtest.h>

#include "scene/load_scene.h"
#include "sim/simulate.h"

namespace grouser::internal {
namespace {

double slip_of(const std::string& model, const std::string& gravity) {
  const World world = load_scene_text("grouser: 1\ngravity: " + gravity + R"(
integrator: {method: semi_implicit, step: 0.002}
terrain: {surface: {size: [6, 3], noise: {rms_deviation: 0}}, spacing: 0.04, soil: dry_sand}
models: [{name: rover, rover: four_wheel, position: [-1.5, 0, 0.25], on_ground: true}]
commands:
  - {wheels: all, ground_speed: {times: [0, 1, 3], values: [0, 0, 0.12], interpolation: linear}}
contacts: [{wheels: all, model: )" + model +
                                          "}]\n",
                                      "rover", ".");
  Observer nobody;
  return simulate(world, initial_state(world), {.end_time = 8}, nobody).wheels[0].slip_mean;
}

TEST(LongSlipOverGravity, FallsByAllModels) {
  for (const char* model : {"scm", "bwr", "terra"}) {
    const double earth = slip_of(model, "earth"), mars = slip_of(model, "mars"),
                 moon = slip_of(model, "moon");
    EXPECT_LT(mars, earth) << model;
    EXPECT_LT(moon, mars) << model;
    EXPECT_GT(moon, 0) << model;
  }
}

}  // namespace
}  // namespace grouser::internal
