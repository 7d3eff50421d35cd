// From Earth over Mars to the Moon a rover slips less on level, dry soil, by every model that follows the load.
#include <gtest/gtest.h>

#include "lab/scene_parts.h"
#include "sim/simulate.h"

namespace grouser::internal {
namespace {

double slip_of(const char* model, const char* gravity) {
  const Map scene{{"gravity", gravity},
                  {"integrator", fixed_step("semi_implicit", 0.002)},
                  {"terrain", level_sand(6, 3, 0.04)},
                  {"models", List{rover_above_ground("four_wheel", {-1.5, 0, 0.25})}},
                  {"commands", List{drive_by_table({0, 1, 3}, {0, 0, 0.12})}},
                  {"contacts", List{all_wheels_by(model)}}};
  const World world = load_scene_values(scene, "rover", ".");
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
