// How redundant rigid contacts share a load: as slightly elastic ones do.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "contact/bbcc/bbcc_system.h"
#include "lab/scene_parts.h"
#include "sim/simulate.h"

namespace grouser::internal {
namespace {

State after(const Map& rover, const Map& material, double end) {
  const Map scene{
      {"gravity", List{0, 0, -9.81}},
      {"integrator", fixed_step("moreau_jean", 0.005)},
      {"models", List{slab("slab", 9, 9, 2), rover}},
      {"contacts", List{wheel_contacts(material), body_contacts({"slab/slab"}, material)}}};
  const World world = load_scene_values(scene, "f", ".");
  Observer nobody;
  return simulate(world, initial_state(world), {.end_time = end}, nobody).state;
}

TEST(LoadShares, FourWheelsOnFlatGroundBearAlike) {
  const Map rover = merged(rover_at("four_wheel", {0, 0, 0.28}), {{"rpy_deg", List{2, 1.5, 0}}});
  const State state = after(rover, {{"friction", 0.7}, {"restitution", 0}}, 3);
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
  List bodies{Map{{"name", "chassis"},
                  {"mass", 5},
                  {"inertia", List{0.02, 0.04, 0.05}},
                  {"com", List{kX, kY, 0.05}}}};
  List wheels;
  for (const auto& [name, x, y] :
       {std::tuple("fl", kA, kB), {"fr", kA, -kB}, {"rl", -kA, kB}, {"rr", -kA, -kB}}) {
    const std::string drive = std::string(name) + "_drive";
    const Map joint = merged(hinge(drive, "chassis", {x, y, 0}), {{"friction", 0.01}});
    bodies.push_back(merged(body_of(name, 0.25, wheel_shape(0.07, 0.05)), {{"joint", joint}}));
    wheels.push_back(
        Map{{"name", name}, {"body", name}, {"drive", drive}, {"radius", 0.07}, {"width", 0.05}});
  }
  const Map tree{{"bodies", bodies}, {"chassis", "chassis"}, {"wheels", wheels}};
  const Map rover{{"name", "rover"}, {"position", List{0, 0, 0.071}}, {"tree", tree}};
  const State state = after(rover, {{"restitution", 0}}, 2);
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
