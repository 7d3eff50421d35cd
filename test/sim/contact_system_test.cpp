// Worlds made in C++ with a contact system of their own: sim knows no model by name.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "contact/plane/plane_system.h"
#include "core/error.h"
#include "sim/contact_sensors.h"
#include "sim/simulation.h"
#include "sim/test_worlds.h"

namespace grouser::internal {
namespace {

constexpr double kMass = 8, kGravity = 9.81;

/// A block of 0.2 m with points at the corners of its foot, just above a plane that leans by an angle about y
/// [rad], and gravity straight down.
World block_on_plane(double lean, const SpringyPlane& like, IntegrationMethod method, double step) {
  ModelSpec spec;
  spec.bodies = {{.name = "block",
                  .inertia = {.mass = kMass, .about_com = 0.06 * Mat3::Identity()},
                  .joint = {.name = "base", .type = JointType::free}}};
  spec.gravity = Vec3(0, 0, -kGravity);
  World world = world_of(std::move(spec));
  const Eigen::AngleAxisd turn(lean, Vec3::UnitY());
  const Eigen::Quaterniond q(turn);
  world.initial.q.head<4>() << q.w(), q.x(), q.y(), q.z();
  SpringyPlane plane = like;
  plane.normal = turn * Vec3::UnitZ();
  plane.point = -0.1 * plane.normal;
  std::vector<PlanePoint> points;
  for (const double x : {-0.1, 0.1}) {
    for (const double y : {-0.1, 0.1}) points.push_back({.body = 0, .p_B = Vec3(x, y, -0.1)});
  }
  world.contacts = {std::make_shared<const PlaneSystem>(points, std::vector{plane})};
  world.settings.integrator = {.method = method, .step = step};
  return world;
}

class OwnContact : public testing::TestWithParam<IntegrationMethod> {};

// m g over four springs; sensors feel a quarter each.
TEST_P(OwnContact, CarriesABlock) {
  const World world = block_on_plane(0, {}, GetParam(), 1e-4);
  Simulation simulation(world);
  simulation.run_to(1.5);
  const Sample& sample = simulation.sample();
  EXPECT_NEAR(-sample.X_WB[0].p.z(), kMass * kGravity / 4e5, 1e-12);  // measured 5e-19
  ASSERT_EQ(sample.contacts.size(), 4u);
  for (const ContactReading& reading : sample.contacts) {
    EXPECT_TRUE(reading.in_contact);
    EXPECT_NEAR(reading.force.z(), kMass * kGravity / 4, 1e-9);  // measured 9e-13
  }
  EXPECT_EQ(contact_sensors(world)[0].model, "plane");
}

// On a slope steeper than its angle of friction a block slides at g (sin a - mu cos a). Explicit steps see the springs
// settle in the first moments, so the second half is measured.
TEST_P(OwnContact, SlidesAsCoulombSays) {
  const double lean = 40 * std::numbers::pi / 180;
  const World world = block_on_plane(lean, {.friction = 0.3}, GetParam(), 1e-4);
  Simulation simulation(world);
  const auto speed = [&] { return simulation.state().v.segment<3>(3).norm(); };
  simulation.run_to(0.5);
  const double before = speed();
  simulation.run_to(1);
  const double wanted = kGravity * (std::sin(lean) - 0.3 * std::cos(lean));
  EXPECT_NEAR((speed() - before) / 0.5, wanted,
              1e-4 * wanted);  // rk4 1e-14, moreau_jean 3e-4 of 4.05
}

// Below it, a block only creeps, at less than the creep speed.
TEST_P(OwnContact, StandsOnAGentleSlope) {
  const double lean = 15 * std::numbers::pi / 180;
  const World world = block_on_plane(lean, {.friction = 0.6}, GetParam(), 1e-4);
  Simulation simulation(world);
  simulation.run_to(1);
  EXPECT_LT(simulation.state().v.segment<3>(3).norm(), SpringyPlane{}.creep_speed);
}

TEST_P(OwnContact, SavesAndRestoresToTheBit) {
  const World world = block_on_plane(0.3, {}, GetParam(), 1e-4);
  Simulation simulation(world);
  simulation.run_to(0.1);
  const State saved = simulation.state();
  simulation.run_to(0.2);
  const State whole = simulation.state();
  simulation.restore(saved);
  simulation.run_to(0.2);
  EXPECT_EQ(simulation.state(), whole);
}

INSTANTIATE_TEST_SUITE_P(ByMethod, OwnContact,
                         testing::Values(IntegrationMethod::rk4, IntegrationMethod::moreau_jean));

TEST(ContactSystem, StatesOfOtherWorldsAreRefused) {
  const World world = block_on_plane(0, {}, IntegrationMethod::rk4, 1e-4);
  State state = initial_state(world);
  state.contacts.clear();
  EXPECT_THROW(Simulation(world, state), Error);
}

}  // namespace
}  // namespace grouser::internal
