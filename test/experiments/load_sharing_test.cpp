// How redundant rigid contacts share a load: as slightly elastic ones do.
#include <gtest/gtest.h>

#include <cmath>

#include "scene/load_scene.h"
#include "sim/simulate.h"

namespace grouser {
namespace {

constexpr const char* kSlab = R"(grouser: 1
gravity: [0, 0, -9.81]
integrator: {method: moreau_jean, step: 0.005}
models:
  - {name: slab, base: fixed, tree: {bodies: [{name: slab, mass: 1e4, shape: {box: [9, 9, 2], position: [0, 0, -1]}}]}}
)";

State after(const std::string& text, double end) {
  const World world = load_scene_text(text, "f", ".");
  Observer nobody;
  return simulate(world, initial_state(world), {.end_time = end}, nobody).state;
}

TEST(LoadShares, FourWheelsOnFlatGroundBearAlike) {
  const State state = after(std::string(kSlab) + R"(
  - {name: rover, rover: four_wheel, position: [0, 0, 0.28], rpy_deg: [2, 1.5, 0]}
contacts:
  - {model: bbcc, wheels: all, group: rover, material: {friction: 0.7, restitution: 0}}
  - {model: bbcc, bodies: [slab/slab], material: {friction: 0.7, restitution: 0}}
)",
                            3);
  double quarter[4] = {};
  for (const PressedPoint& point : state.contacts.points) {
    quarter[(point.p_W.x() > 0) + 2 * (point.p_W.y() > 0)] += std::abs(point.force.z());
  }
  for (const double load : quarter) EXPECT_NEAR(load, 73 * 9.81 / 4, 0.01 * 73 * 9.81 / 4);
}

}  // namespace
}  // namespace grouser
