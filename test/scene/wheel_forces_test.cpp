// What wheels report of the ground's force on a slope, by weight and angle alone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "math/rotation.h"
#include "scene/load_scene.h"
#include "sim/simulation.h"

namespace grouser::internal {
namespace {

constexpr double kLean = 20 * std::numbers::pi / 180;

struct Heading {
  const char* name;
  double yaw;            // from uphill, to the left [rad]
  double pull, lateral;  // of all wheels, over m g sin(lean)
};

class WheelsOnASlope : public testing::TestWithParam<Heading> {};

/// A rover with locked wheels on hard ground that rises along x, or a little above.
World rover_on_slope(double yaw) {
  const double rise = 4 * std::tan(kLean), height = 0.57 / std::cos(kLean);
  const Mat3 R = Eigen::AngleAxisd(-kLean, Vec3::UnitY()).toRotationMatrix() *
                 Eigen::AngleAxisd(yaw, Vec3::UnitZ()).toRotationMatrix();
  const Vec3 rpy = rpy_from_rotation(R) * (180 / std::numbers::pi);
  return load_scene_text(fmt::format(R"(grouser: 1
name: rover
gravity: mars
integrator: {{method: moreau_jean, step: 0.005}}
terrain: {{surface: {{size: [8, 4], profile: {{points: [[-4, {}], [4, {}]]}}}}, spacing: 0.05, soil: dry_sand}}
models:
  - {{name: rover, rover: exomars, on_ground: true, position: [0, 0, {}], rpy_deg: [{}, {}, {}]}}
contacts:
  - {{model: bbcc, wheels: all, material: {{friction: 1}}}}
  - {{model: bbcc, terrain: true, material: {{friction: 1}}}}
)",
                                     -rise, rise, height, rpy[0], rpy[1], rpy[2]),
                         "f", ".");
}

// At rest the ground bears m g cos(lean) along its normal and holds m g sin(lean) uphill, wherever the rover heads. The
// bogies settle for seconds, by creeping.
TEST_P(WheelsOnASlope, BearTheWeightAndHoldIt) {
  const World world = rover_on_slope(GetParam().yaw);
  Simulation simulation(world);
  simulation.run_to(6);
  const double weight = world.model.total_mass() * world.model.gravity().norm();
  const Sample& sample = simulation.sample();
  double normal = 0, pull = 0, lateral = 0;
  for (std::size_t w = 0; w < sample.wheels.size(); ++w) {
    const WheelSample& wheel = sample.wheels[w];
    EXPECT_GT(wheel.normal, 0);
    normal += wheel.normal;
    pull += wheel.pull;
    lateral += wheel.lateral;
    EXPECT_NEAR(Vec3(wheel.normal, wheel.pull, wheel.lateral).norm(),
                sample.contacts[w].force.norm(), 1e-9);
  }
  EXPECT_NEAR(normal, weight * std::cos(kLean), 1e-3 * weight);
  EXPECT_NEAR(pull, GetParam().pull * weight * std::sin(kLean), 1e-3 * weight);
  EXPECT_NEAR(lateral, GetParam().lateral * weight * std::sin(kLean), 1e-3 * weight);
}

INSTANTIATE_TEST_SUITE_P(Headings, WheelsOnASlope,
                         testing::Values(Heading{"up", 0, 1, 0},
                                         Heading{"down", std::numbers::pi, -1, 0},
                                         Heading{"across_hill_right", std::numbers::pi / 2, 0, -1},
                                         Heading{"across_hill_left", -std::numbers::pi / 2, 0, 1}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace grouser::internal
