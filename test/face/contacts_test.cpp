// Contacts as force elements of a host, through the public face.
#include "grouser/contact.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace grouser {
namespace {

constexpr double kMass = 3, kGravity = 9.80665;

/// A ball of 0.1 m on hard ground, by contact forces that give way.
World ball_on_hard_ground() {
  const Map ball{
      {"name", "ball"}, {"mass", kMass}, {"shape", Map{{"sphere", Map{{"radius", 0.1}}}}}};
  const Map material{{"young", 1e6}, {"friction", 0.5}};
  return World::build(Map{
      {"integrator", Map{{"method", "semi_implicit"}, {"step", 1e-4}}},
      {"terrain",
       Map{{"surface", Map{{"size", List{4, 4}}}}, {"spacing", 0.1}, {"soil", "dry_sand"}}},
      {"models",
       List{Map{
           {"name", "m"}, {"position", List{0, 0, 0.1}}, {"tree", Map{{"bodies", List{ball}}}}}}},
      {"contacts", List{Map{{"model", "bbcc"}, {"bodies", List{"m/ball"}}, {"material", material}},
                        Map{{"model", "bbcc"}, {"terrain", true}, {"material", material}}}}});
}

/// A plate of 0.2 m x 0.2 m above sand, and nothing else.
World plate_on_sand() {
  const Map plate{{"name", "plate"}, {"mass", 20}, {"shape", Map{{"box", List{0.2, 0.2, 0.04}}}}};
  return World::build(Map{
      {"terrain",
       Map{{"surface", Map{{"size", List{2, 2}}}}, {"spacing", 0.01}, {"soil", "dry_sand"}}},
      {"models",
       List{Map{
           {"name", "m"}, {"position", List{0, 0, 0.03}}, {"tree", Map{{"bodies", List{plate}}}}}}},
      {"contacts", List{Map{{"model", "scm"}, {"bodies", List{"m/plate"}}}}}});
}

struct OneBody {
  Pose pose;
  Twist twist;

  Wrench loads(Contacts& contacts, double time) const {
    Wrench wrench;
    contacts.forces(time, {&pose, 1}, {&twist, 1}, {&wrench, 1});
    return wrench;
  }
  bool commit(Contacts& contacts, double time) const {
    return contacts.commit(time, {&pose, 1}, {&twist, 1});
  }
};

// A host's own integrator lets the ball fall by 0.1 m and come to rest: then the ground carries its weight.
TEST(Contacts, CarryAHostsBall) {
  Contacts contacts(ball_on_hard_ground());
  OneBody ball{.pose = {.position = {0, 0, 0.2}}};
  contacts.begin(0, {&ball.pose, 1}, {&ball.twist, 1});
  const double h = 1e-4;
  double touched_at = 0, deepest = 1;
  for (int k = 0; k < 60000; ++k) {
    const Wrench load = ball.loads(contacts, k * h);
    if (ball.pose.position.z > 0.1) {
      EXPECT_EQ(load.force, Vec3{});
    } else if (touched_at == 0) {
      touched_at = -ball.twist.linear.z;
    }
    ball.twist.linear.z += h * (load.force.z / kMass - kGravity);
    ball.pose.position.z += h * ball.twist.linear.z;
    ball.commit(contacts, (k + 1) * h);
    deepest = std::min(deepest, ball.pose.position.z);
  }
  EXPECT_NEAR(touched_at, std::sqrt(2 * kGravity * 0.1), 2 * h * kGravity);
  EXPECT_LT(deepest, 0.1);
  EXPECT_NEAR(ball.loads(contacts, 6).force.z, kMass * kGravity, 1e-3 * kMass * kGravity);
  const auto& sample = contacts.sample(6, {&ball.pose, 1}, {&ball.twist, 1});
  ASSERT_EQ(sample.size(), contacts.world().contacts().size());
  EXPECT_TRUE(sample[0].in_contact);
  EXPECT_NEAR(sample[0].force.z, kMass * kGravity, 1e-3 * kMass * kGravity);
}

// Asking changes nothing; memory is a value that can be put back.
TEST(Contacts, TrialStatesLeaveNoTrace) {
  Contacts contacts(plate_on_sand());
  OneBody plate{.pose = {.position = {0, 0, 0.02}}};
  contacts.begin(0, {&plate.pose, 1}, {&plate.twist, 1});
  const ContactMemory untouched = contacts.memory();
  plate.pose.position.z = 0.0;  // 20 mm into the soil
  const Wrench pressed = plate.loads(contacts, 0.01);
  EXPECT_GT(pressed.force.z, 100);
  EXPECT_EQ(plate.loads(contacts, 0.01), pressed);
  EXPECT_EQ(contacts.memory(), untouched);
  EXPECT_EQ(contacts.memory().hash(), untouched.hash());
  EXPECT_EQ(contacts.ground_at(0, 0).height, 0);

  EXPECT_TRUE(plate.commit(contacts, 0.02));
  EXPECT_NE(contacts.memory(), untouched);
  const ContactMemory rutted = contacts.memory();
  plate.pose.position.z = 0.015;  // out again, as deep as 5 mm: the soil does not come along
  EXPECT_LT(plate.loads(contacts, 0.03).force.z, 0.2 * pressed.force.z);
  contacts.restore(untouched);
  EXPECT_GT(plate.loads(contacts, 0.03).force.z, 0.2 * pressed.force.z);
  contacts.restore(rutted);
  EXPECT_EQ(contacts.memory(), rutted);
}

// Where soil was pressed, the ground is lower from then on.
TEST(Contacts, LeaveRuts) {
  Contacts contacts(plate_on_sand());
  OneBody plate{.pose = {.position = {0, 0, 0.02}}};
  contacts.begin(0, {&plate.pose, 1}, {&plate.twist, 1});
  EXPECT_TRUE(std::isfinite(contacts.next_tick()));
  plate.pose.position.z = 0.0;
  for (int k = 1; k <= 20; ++k) plate.commit(contacts, 0.005 * k);
  EXPECT_NEAR(contacts.ground_at(0, 0).height, -0.02, 1e-3);
  EXPECT_GE(contacts.ground_at(0.4, 0).height, 0);
}

// A host's ruts are kept as bytes, in the format of states: a simulation of that world starts from them.
TEST(Contacts, RememberInTheFormatOfStates) {
  const World world = plate_on_sand();
  Contacts contacts(world);
  OneBody plate{.pose = {.position = {0, 0, 0.02}}};
  contacts.begin(0, {&plate.pose, 1}, {&plate.twist, 1});
  plate.pose.position.z = 0.0;
  for (int k = 1; k <= 20; ++k) plate.commit(contacts, 0.005 * k);
  const ContactMemory rutted = contacts.memory();
  const std::vector<std::byte> bytes = rutted.to_bytes(world);
  EXPECT_EQ(ContactMemory::from_bytes(bytes, world), rutted);
  const Simulation simulation(world, State::from_bytes(bytes, world));
  EXPECT_EQ(simulation.ground_at(0, 0).height, contacts.ground_at(0, 0).height);
  EXPECT_EQ(contacts.ground_heights({.columns = 1, .rows = 1})[0], contacts.ground_at(0, 0).height);
  EXPECT_THROW(rutted.to_bytes(ball_on_hard_ground()), Error);
  EXPECT_THROW(ContactMemory::from_bytes(bytes, ball_on_hard_ground()), Error);
}

TEST(Contacts, RefuseNonsense) {
  const Map rigid{
      {"terrain", Map{{"surface", Map{{"size", List{4, 4}}}}, {"soil", "dry_sand"}}},
      {"models",
       List{Map{{"name", "m"},
                {"tree",
                 Map{{"bodies", List{Map{{"name", "ball"},
                                         {"mass", 1},
                                         {"shape", Map{{"sphere", Map{{"radius", 0.1}}}}}}}}}}}}},
      {"contacts", List{Map{{"model", "bbcc"}, {"terrain", true}},
                        Map{{"model", "bbcc"}, {"bodies", List{"m/ball"}}}}}};
  try {
    Contacts contacts(World::build(rigid));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'integrator'"), std::string::npos);
  }
  Contacts contacts(plate_on_sand());
  OneBody plate{.pose = {.position = {0, 0, 0.02}}};
  const std::vector<Pose> two(2);
  Wrench load;
  EXPECT_THROW(contacts.forces(0, two, {&plate.twist, 1}, {&load, 1}), Error);
  EXPECT_THROW(contacts.forces(0, {&plate.pose, 1}, {}, {&load, 1}), Error);
  EXPECT_THROW(contacts.forces(0, {&plate.pose, 1}, {&plate.twist, 1}, {}), Error);
  plate.commit(contacts, 1);
  EXPECT_THROW(plate.commit(contacts, 0.5), Error);
  plate.pose.position.x = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(plate.loads(contacts, 2), Error);
  EXPECT_THROW(contacts.restore(ContactMemory()), Error);
  EXPECT_THROW(contacts.restore(Contacts(ball_on_hard_ground()).memory()), Error);
}

}  // namespace
}  // namespace grouser
