#include "contact/host/host_contact_system.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/error.h"

namespace grouser::internal {
namespace {

Pose turned(double angle, const Vec3& axis, const Vec3& p) {
  return {Eigen::AngleAxisd(angle, axis).toRotationMatrix(), p};
}

struct Found {
  RigidContact contact;
  Vec3 force;
};

/// The only contact of a memory, with bodies at other poses.
Found find(const HostContactSystem& system, const ContactMemory& memory, std::span<const Pose> X_WB,
           double margin = 0) {
  const auto scratch = system.make_scratch();
  RigidContacts found;
  system.find_rigid(X_WB, margin, memory, *scratch, found);
  EXPECT_EQ(found.contacts.size(), 1u);
  return {found.contacts[0], found.wrenches[0].force};
}

ContactMemory memory_of(const HostContactSystem& system, const HostContact& contact,
                        std::span<const Pose> X_WB) {
  ContactMemory memory = system.initial_memory({});
  system.set({&contact, 1}, X_WB, memory.write<HostContactState>());
  return memory;
}

TEST(HostContactSystem, GivesBackWhatItWasGiven) {
  const HostContactSystem system(2);
  const Pose X_WB[] = {turned(0.4, Vec3::UnitX(), Vec3(1, 2, 3)),
                       turned(-0.7, Vec3::UnitZ(), Vec3(0, 1, 0))};
  const HostContact given{.body_a = 0,
                          .body_b = 1,
                          .point = Vec3(0.2, 0.5, -0.1),
                          .normal = Vec3(0.6, 0, 0.8),
                          .gap = -0.003,
                          .friction = 0.4,
                          .restitution = 0.1};
  const RigidContact found = find(system, memory_of(system, given, X_WB), X_WB, 1e-5).contact;
  EXPECT_EQ(found.body_a, 0);
  EXPECT_EQ(found.body_b, 1);
  EXPECT_NEAR((found.p_Wa - given.point).norm(), 0, 1e-15);
  EXPECT_NEAR((found.p_Wb - (given.point + 0.003 * given.normal)).norm(), 0, 1e-15);
  EXPECT_NEAR((found.normal - given.normal).norm(), 0, 1e-15);
  EXPECT_NEAR(found.gap, -0.003 + 1e-5, 1e-15);
  EXPECT_EQ(found.friction, 0.4);
  EXPECT_EQ(found.restitution, 0.1);
}

// A corner of a cube of 2 m over the ground: turned by 30 degrees about y and lifted, it is where trigonometry says.
TEST(HostContactSystem, CornersGoWithTheirBody) {
  const HostContactSystem system(1);
  const Pose upright[] = {{Mat3::Identity(), Vec3(0, 0, 1)}};
  ContactMemory memory = memory_of(system, {.point = Vec3(1, 0, 0)}, upright);
  const double c = std::cos(std::numbers::pi / 6), s = 0.5;
  const Pose X_WB[] = {turned(std::numbers::pi / 6, Vec3::UnitY(), Vec3(5, 0, 2))};
  const Found before = find(system, memory, X_WB);
  EXPECT_NEAR(before.contact.gap, 2 - c - s, 1e-15);
  // Within a step forces have the arm of its beginning,
  EXPECT_NEAR((before.contact.p_Wa - Vec3(6, 0, 1)).norm(), 0, 1e-15);
  const auto scratch = system.make_scratch();
  EXPECT_FALSE(system.commit({.bodies = {.X_WB = X_WB}}, memory, *scratch));
  // and in the next that of the corner, which is at (1, 0, -1) in the cube.
  const Found after = find(system, memory, X_WB);
  EXPECT_NEAR((after.contact.p_Wa - Vec3(5 + c - s, 0, 2 - s - c)).norm(), 0, 1e-15);
  EXPECT_NEAR(after.contact.gap, 2 - c - s, 1e-15);
}

// The normal and the point opposite turn with the second body.
TEST(HostContactSystem, NormalsGoWithTheOtherBody) {
  const HostContactSystem system(2);
  const Pose before[] = {{Mat3::Identity(), Vec3(0, 0, 1)}, {}};
  const ContactMemory memory =
      memory_of(system, {.body_a = 0, .body_b = 1, .point = Vec3(0, 0, 0.1), .gap = 0.1}, before);
  const Pose after[] = {{Mat3::Identity(), Vec3(1, 0, 0.9)},
                        turned(std::numbers::pi / 2, Vec3::UnitY(), {})};
  const RigidContact found = find(system, memory, after).contact;
  EXPECT_NEAR((found.normal - Vec3::UnitX()).norm(), 0, 1e-15);
  EXPECT_NEAR(found.gap, 1, 1e-15);  // p_a = (1, 0, 0), p_b = 0
}

// A contact of the same bodies in the same place begins with the force of the last step; others begin with none.
TEST(HostContactSystem, KeepsForcesOfTheSameBodies) {
  const HostContactSystem system(2);
  const Pose X_WB[2];
  const HostContact with_ground{.body_a = 1}, with_other{.body_a = 1, .body_b = 0};
  ContactMemory memory = memory_of(system, with_ground, X_WB);
  const RigidPoint point{.p_W = Vec3(1, 0, 0)};
  const Wrench load{Vec3::Zero(), Vec3(1, 2, 3)};
  system.commit_rigid({&point, 1}, {&load, 1}, memory);
  EXPECT_EQ(find(system, memory, X_WB).force, load.force);
  const auto scratch = system.make_scratch();
  std::vector<Wrench> wrenches(2);
  system.evaluate({.bodies = {.X_WB = X_WB}}, memory, Purpose::look, *scratch, wrenches);
  EXPECT_EQ(wrenches[1].force, load.force);
  EXPECT_EQ(wrenches[1].torque, Vec3(1, 0, 0).cross(load.force));
  EXPECT_EQ(wrenches[0].force, Vec3(0, 0, 0));
  system.set({&with_ground, 1}, X_WB, memory.write<HostContactState>());
  EXPECT_EQ(system.force_on(1, memory, *scratch), load.force);
  system.set({&with_other, 1}, X_WB, memory.write<HostContactState>());
  EXPECT_EQ(system.force_on(1, memory, *scratch), Vec3(0, 0, 0));
}

TEST(HostContactSystem, DamagedMemoriesAreRefused) {
  const HostContactSystem system(1);
  const Pose X_WB[1];
  const ContactMemory memory = memory_of(system, {.friction = 0.2}, X_WB);
  const std::vector<double> good = system.save(memory);
  EXPECT_EQ(system.load(good), memory);
  EXPECT_TRUE(system.fits(memory));
  EXPECT_FALSE(HostContactSystem(0).fits(memory));
  std::vector<double> more = good;
  more.push_back(0);
  EXPECT_THROW(system.load(more), DamagedMemory);
  EXPECT_THROW(system.load(std::span(good).first(good.size() - 1)), DamagedMemory);
  // The count, body a, body b, a point, the normal, friction and restitution.
  for (const auto& [number, value] :
       {std::pair{0, 2.0}, {1, 1.0}, {2, 0.0}, {3, NAN}, {11, 2.0}, {15, -1.0}, {16, 2.0}}) {
    std::vector<double> bad = good;
    bad[static_cast<std::size_t>(number)] = value;
    EXPECT_THROW(system.load(bad), DamagedMemory) << number;
  }
  EXPECT_THROW(HostContactSystem(0).load(good), DamagedMemory);
}

}  // namespace
}  // namespace grouser::internal
