// Contacts that a host finds: the world has no collision detection of its own here.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "core/error.h"
#include "core/index.h"
#include "sim/contact_sensors.h"
#include "sim/host_contacts.h"
#include "sim/simulation.h"
#include "sim/test_worlds.h"
#include "support/allocation_count.h"

namespace grouser::internal {
namespace {

constexpr double kBoxMass = 8, kBoxGravity = 9.81, kBoxHalf = 0.1, kBoxStep = 1e-3;

/// Free bodies of 8 kg, a box of 0.2 m each, with gravity in the x-z plane: leaning by `lean` [rad] instead of the
/// ground. Bodies rest without overlap.
World boxes(int count, double lean = 0, double gravity = kBoxGravity) {
  ModelSpec spec;
  for (int b = 0; b < count; ++b) {
    spec.bodies.push_back({.name = "box" + std::to_string(b),
                           .inertia = {.mass = kBoxMass, .about_com = 0.06 * Mat3::Identity()},
                           .joint = {.name = "base" + std::to_string(b), .type = JointType::free}});
  }
  spec.gravity = gravity * Vec3(std::sin(lean), 0, -std::cos(lean));
  World world = world_of(std::move(spec));
  for (int b = 0; b < count; ++b) world.initial.q[7 * b + 6] = kBoxHalf;  // z after the quaternion
  world.settings.integrator = {
      .method = IntegrationMethod::moreau_jean, .step = kBoxStep, .margin = 0};
  add_host_contacts(world);
  return world;
}

/// The four corners of the foot of body 0, on the plane z = 0, where it stands now.
std::array<HostContact, 4> feet(const State& state, double friction, double restitution = 0) {
  std::array<HostContact, 4> contacts;
  const Vec3 middle = state.q.segment<3>(4);
  for (int k = 0; k < 4; ++k) {
    const double x = k % 2 == 0 ? -kBoxHalf : kBoxHalf, y = k < 2 ? -kBoxHalf : kBoxHalf;
    contacts[at(k)] = {.point = middle + Vec3(x, y, -kBoxHalf),
                       .gap = middle.z() - kBoxHalf,
                       .friction = friction,
                       .restitution = restitution};
  }
  return contacts;
}

Vec3 box_velocity(const State& state, int body = 0) { return state.v.segment<3>(6 * body + 3); }

TEST(HostContacts, CarryABoxAtRest) {
  const World world = boxes(1);
  Simulation simulation(world);
  simulation.set_contacts(feet(simulation.state(), 0.5));
  simulation.run_to(0.1);
  const auto forces = simulation.host_contacts();
  ASSERT_EQ(forces.size(), 4u);
  for (const HostContactForce& contact : forces) {
    EXPECT_NEAR(contact.force.z(), kBoxMass * kBoxGravity / 4, 1e-6);
    EXPECT_NEAR(contact.force.head<2>().norm(), 0, 1e-6);
  }
  EXPECT_NEAR(simulation.state().q[6], kBoxHalf, 1e-9);
  const Sample& sample = simulation.sample();
  ASSERT_EQ(sample.contacts.size(), 1u);
  EXPECT_EQ(contact_sensors(world)[0].name, "box0");
  EXPECT_EQ(contact_sensors(world)[0].model, "host");
  EXPECT_TRUE(sample.contacts[0].in_contact);
  EXPECT_NEAR(sample.contacts[0].force.z(), kBoxMass * kBoxGravity, 1e-6);
  EXPECT_NEAR(sample.contacts[0].torque.norm(), 0, 1e-6);
  EXPECT_NEAR(sample.contacts[0].power, 0, 1e-6);
  EXPECT_NEAR(sample.contacts[0].depth, 0, 1e-9);
  // At the end of free motion, which would have fallen.
  EXPECT_NEAR(sample.contacts[0].point.norm(), 0, kBoxGravity * kBoxStep * kBoxStep);
}

// A load off the middle: its moment about the rear feet, over the distance of the feet, is borne by those in front.
TEST(HostContacts, ShareALoadByItsLever) {
  const World world = boxes(1);
  Simulation simulation(world);
  simulation.set_contacts(feet(simulation.state(), 0.5));
  const double torque = 2;  // about y, presses the side of positive x
  simulation.set_wrench(simulation.body("box0"),
                        {.torque = Vec3(0, torque, 0), .force = Vec3::Zero()});
  simulation.run_to(0.1);
  const auto forces = simulation.host_contacts();
  const double rear = forces[0].force.z() + forces[2].force.z();
  const double front = forces[1].force.z() + forces[3].force.z();
  EXPECT_NEAR(front + rear, kBoxMass * kBoxGravity, 1e-6);
  EXPECT_NEAR((front - rear) * kBoxHalf, torque, 1e-6);
}

TEST(HostContacts, SlideAndStickAsCoulombSays) {
  const double lean = 0.5;  // tan 0.546
  const World world = boxes(1, lean);
  for (const double mu : {0.2, 0.6}) {
    Simulation simulation(world);
    simulation.set_contacts(feet(simulation.state(), mu));
    simulation.run_to(0.5);
    const double wanted = std::max(0.0, kBoxGravity * (std::sin(lean) - mu * std::cos(lean)));
    EXPECT_NEAR(box_velocity(simulation.state()).x() / 0.5, wanted, 1e-6) << mu;
    EXPECT_NEAR(simulation.state().q[6], kBoxHalf, 1e-8);
  }
}

// Given once, the gap closes as the box falls: contact begins at sqrt(2 g h), and it leaves at e times that.
TEST(HostContacts, BounceByTheirRestitution) {
  World world = boxes(1);
  const double height = 0.05, e = 0.5;
  world.initial.q[6] += height;
  Simulation simulation(world);
  simulation.set_contacts(feet(simulation.state(), 0, e));
  const double fall = std::sqrt(2 * height / kBoxGravity);
  double highest = 0;
  while (simulation.time() < 1.5 * fall + e * fall / 2) {
    simulation.step();
    if (simulation.time() > fall + 2 * kBoxStep)
      highest = std::max(highest, box_velocity(simulation.state()).z());
  }
  EXPECT_NEAR(highest, e * kBoxGravity * fall, 3 * kBoxGravity * kBoxStep);
}

// Two boxes without gravity: what one gets the other loses, and where they struck they go on together. The impulse acts
// where free motion would end, at most the way of one step from where it should: so much may it turn them.
TEST(HostContacts, OfTwoBodiesConserveMomentum) {
  World world = boxes(2, 0, 0);
  world.initial.q.segment<3>(4) = Vec3(-kBoxHalf - 0.001, 0, 0);
  world.initial.q.segment<3>(11) = Vec3(kBoxHalf + 0.001, 0.05, 0.02);
  world.initial.v.segment<3>(3) = Vec3(1, 0.5, 0);
  Simulation simulation(world);
  const HostContact contact{.body_a = 0,
                            .body_b = 1,
                            .point = Vec3(-0.001, 0.02, 0.01),
                            .normal = -Vec3::UnitX(),
                            .gap = 0.002,
                            .friction = 0.2};
  simulation.set_contacts({&contact, 1});
  const auto momenta = [&] {
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
    const Sample& sample = simulation.sample();
    for (std::size_t b = 0; b < 2; ++b) {
      const Vec3 p = kBoxMass * sample.V_WB[b].linear;
      linear += p;
      angular += sample.X_WB[b].p.cross(p) + 0.06 * sample.V_WB[b].angular;
    }
    return std::pair<Vec3, Vec3>(linear, angular);
  };
  const auto before = momenta();
  const auto is_pressed = [&] { return simulation.host_contacts()[0].force.norm() > 0; };
  while (!is_pressed() && simulation.time() < 0.1) simulation.step();
  const Vec3 force = simulation.host_contacts()[0].force;
  EXPECT_LT(force.x(), -100);  // out of b into a
  EXPECT_NEAR(std::hypot(force.y(), force.z()), -0.2 * force.x(), 1e-6 * force.norm());
  const Sample sample = simulation.sample();
  EXPECT_EQ(sample.contacts[0].force, Vec3(-sample.contacts[1].force));
  const auto after = momenta();
  EXPECT_NEAR((after.first - before.first).norm(), 0, 1e-12);
  const double way =
      1.2 * kBoxStep;  // of free motion in the step, beyond which the impulse acts nowhere
  EXPECT_LE((after.second - before.second).norm(), force.norm() * kBoxStep * way);
  // A step later the gap is closed, and the points go on together along the normal.
  simulation.step();
  const Sample& later = simulation.sample();
  const Vec3 p = simulation.host_contacts()[0].point;
  EXPECT_NEAR(later.V_WB[0].shifted(p - later.X_WB[0].p).linear.x(),
              later.V_WB[1].shifted(p - later.X_WB[1].p).linear.x(), 1e-3);
}

TEST(HostContacts, SaveAndRestoreToTheBit) {
  const World world = boxes(1, 0.5);
  Simulation simulation(world);
  simulation.set_contacts(feet(simulation.state(), 0.2));
  simulation.run_to(0.1);
  const State saved = simulation.state();
  simulation.run_to(0.2);
  const State whole = simulation.state();
  simulation.restore(saved);
  simulation.run_to(0.2);
  EXPECT_EQ(simulation.state(), whole);
  // By numbers, as checkpoints do.
  State loaded = saved;
  const ContactSystem& system = *world.contacts[0];
  loaded.contacts[0] = system.load(system.save(saved.contacts[0]));
  EXPECT_EQ(loaded, saved);
  EXPECT_EQ(hash(loaded), hash(saved));
  Simulation other(world, loaded);
  other.run_to(0.2);
  EXPECT_EQ(other.state(), whole);
  EXPECT_EQ(hash(other.state()), hash(whole));
}

// What was set since the last step goes with the state that is resumed.
TEST(HostContacts, SetBetweenStepsAreResumed) {
  const World world = boxes(1);
  Simulation simulation(world);
  simulation.run_to(0.01);
  simulation.set_contacts(feet(simulation.state(), 0.5));
  EXPECT_EQ(simulation.resumable(), simulation.state());
  simulation.reset();
  EXPECT_TRUE(simulation.host_contacts().empty());
}

// A host with a ball of radius r over a plane: it falls, then slides until it rolls, with 5/7 of its speed.
TEST(HostContacts, HostsDetectionLetsABallRoll) {
  World world = boxes(1);
  const double r = kBoxHalf, inertia = 0.4 * kBoxMass * r * r, speed = 0.7;
  ModelSpec spec;
  spec.bodies = {{.name = "ball",
                  .inertia = {.mass = kBoxMass, .about_com = inertia * Mat3::Identity()},
                  .joint = {.name = "base", .type = JointType::free}}};
  spec.gravity = Vec3(0, 0, -kBoxGravity);
  const IntegratorOptions integrator = world.settings.integrator;
  world = world_of(std::move(spec));
  world.settings.integrator = integrator;
  world.initial.q[6] = r + 0.02;
  world.initial.v[3] = speed;
  add_host_contacts(world);
  Simulation simulation(world);
  std::vector<HostContact> contacts;
  while (simulation.time() < 1) {
    const Vec3 middle = simulation.sample().X_WB[0].p;
    contacts.clear();
    if (middle.z() < r + 0.005) {
      contacts.push_back(
          {.point = middle - r * Vec3::UnitZ(), .gap = middle.z() - r, .friction = 0.4});
    }
    simulation.set_contacts(contacts);
    simulation.step();
  }
  const Twist motion = simulation.sample().V_WB[0];
  EXPECT_NEAR(motion.linear.x(), 5. / 7 * speed, 1e-4);
  EXPECT_NEAR(motion.angular.y() * r, 5. / 7 * speed, 1e-4);
  // Its gap is linearised: too large by that at the end of each step.
  const double turn = 5. / 7 * speed / r * kBoxStep;
  EXPECT_NEAR(simulation.state().q[6], r - r * (1 - std::cos(turn)), 1e-9);
  EXPECT_NEAR(simulation.host_contacts()[0].force.z(), kBoxMass * kBoxGravity, 1e-6);
}

// The same as a controller at the rate of the steps does it.
TEST(HostContacts, MayBeSetByAController) {
  const World world = boxes(1);
  Simulation simulation(world);
  simulation.add_controller({.rate_hz = 1 / kBoxStep},
                            [](Simulation& self) { self.set_contacts(feet(self.state(), 0.5)); });
  simulation.run_to(0.1);
  EXPECT_NEAR(simulation.state().q[6], kBoxHalf, 1e-8);
  EXPECT_NEAR(simulation.host_contacts()[3].force.z(), kBoxMass * kBoxGravity / 4, 1e-6);
}

TEST(HostContacts, AllocateNothingInASteadyStep) {
  const World world = boxes(1, 0.5);
  Simulation simulation(world, 1);
  auto contacts = feet(simulation.state(), 0.2);
  simulation.set_contacts(contacts);
  simulation.run_to(0.05);
  const std::uint64_t before = allocation_count();
  while (simulation.time() < 0.1) {
    contacts = feet(simulation.state(), 0.2);
    simulation.set_contacts(contacts);
    simulation.step();
  }
  EXPECT_EQ(allocation_count(), before);
}

TEST(HostContacts, ThatAreNoneAreRefused) {
  const World world = boxes(2);
  Simulation simulation(world);
  simulation.set_contacts(feet(simulation.state(), 0.2));
  const State before = simulation.state();
  const double nan = std::nan("");
  const HostContact wrong[] = {{.body_a = 2},
                               {.body_a = 1, .body_b = 1},
                               {.body_b = -2},
                               {.point = Vec3(nan, 0, 0)},
                               {.normal = Vec3(0, 0, 2)},
                               {.normal = Vec3(0, nan, 1)},
                               {.gap = nan},
                               {.friction = -0.1},
                               {.restitution = 1.1},
                               {.restitution = nan}};
  for (const HostContact& contact : wrong) {
    EXPECT_THROW(simulation.set_contacts({&contact, 1}), Error);
  }
  EXPECT_EQ(simulation.state(), before);
  try {
    simulation.set_contacts(wrong);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_EQ(error.issues().size(), std::size(wrong));
    EXPECT_EQ(error.issues()[4].field, "contacts[4].normal");
  }
}

TEST(HostContacts, NeedAPlaceAndTimeStepping) {
  World world = world_of(pendulum_chain(1));
  Simulation simulation(world);
  EXPECT_THROW(simulation.set_contacts({}), Error);
  EXPECT_TRUE(simulation.host_contacts().empty());
  const std::uint64_t plain = hash(initial_state(world));
  add_host_contacts(world);
  add_host_contacts(world);  // has one
  ASSERT_EQ(world.contacts.size(), 1u);
  EXPECT_EQ(hash(initial_state(world)), plain);
  try {
    const Simulation smooth(world);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("moreau_jean"), std::string::npos);
  }
}

}  // namespace
}  // namespace grouser::internal
