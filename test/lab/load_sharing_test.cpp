// How redundant rigid contacts share a load: as slightly elastic ones do.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "contact/bbcc/bbcc_system.h"
#include "scene/load_scene.h"
#include "sim/simulate.h"

namespace grouser::internal {
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
  for (const PressedPoint& point : state.contacts.back().as<BbccState>().points) {
    quarter[(point.p_W.x() > 0) + 2 * (point.p_W.y() > 0)] += std::abs(point.force.z());
  }
  for (const double load : quarter) EXPECT_NEAR(load, 73 * 9.81 / 4, 0.01 * 73 * 9.81 / 4);
}

// A plate on four equal springs at (±a, ±b), its mass off the middle by (x, y): by moments about the middle each bears
// W/4 (1 ± x/a ± y/b). The wheels' own weight stands on themselves.
TEST(LoadShares, MassOffTheMiddleIsSharedAsBySprings) {
  constexpr double kA = 0.15, kB = 0.13, kX = 0.04, kY = 0.03, kBody = 5 * 9.81,
                   kWheel = 0.25 * 9.81;
  std::string bodies, wheels;
  for (const auto& [name, x, y] :
       {std::tuple("fl", kA, kB), {"fr", kA, -kB}, {"rl", -kA, kB}, {"rr", -kA, -kB}}) {
    bodies += fmt::format(
        "        - {{name: {0}, mass: 0.25, shape: {{cylinder: {{radius: 0.07, length: 0.05}}, "
        "rpy_deg: [90, 0, 0]}}, joint: {{name: {0}_drive, type: revolute, parent: chassis, "
        "position: [{1}, {2}, 0], axis: [0, 1, 0], friction: 0.01}}}}\n",
        name, x, y);
    wheels += fmt::format(
        "        - {{name: {0}, body: {0}, drive: {0}_drive, radius: 0.07, width: 0.05}}\n", name);
  }
  const State state = after(
      fmt::format("{}  - name: rover\n    position: [0, 0, 0.071]\n    tree:\n      bodies:\n"
                  "        - {{name: chassis, mass: 5, inertia: [0.02, 0.04, 0.05], com: [{}, {}, "
                  "0.05]}}\n{}      chassis: chassis\n      wheels:\n{}contacts:\n"
                  "  - {{model: bbcc, wheels: all, group: rover, material: {{restitution: 0}}}}\n"
                  "  - {{model: bbcc, bodies: [slab/slab], material: {{restitution: 0}}}}\n",
                  kSlab, kX, kY, bodies, wheels),
      2);
  double load[2][2] = {};
  for (const PressedPoint& point : state.contacts.back().as<BbccState>().points) {
    load[point.p_W.x() > 0][point.p_W.y() > 0] += std::abs(point.force.z());
  }
  for (const int i : {0, 1}) {
    for (const int j : {0, 1}) {
      const double wanted =
          kWheel + kBody / 4 * (1 + (2 * i - 1) * kX / kA + (2 * j - 1) * kY / kB);
      EXPECT_NEAR(load[i][j], wanted, 0.02 * wanted) << i << j;
    }
  }
}

}  // namespace
}  // namespace grouser::internal
