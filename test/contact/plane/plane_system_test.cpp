#include "contact/plane/plane_system.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "core/error.h"

// A host without multibody code: one body, moved by hand.
namespace grouser::internal {
namespace {

using testing::HasSubstr;

const SpringyPlane kPlane;  // k 1e5 N/m, c 1e3 N s/m, mu 0.5

struct Host {
  explicit Host(const SpringyPlane& plane = kPlane, const Vec3& p_B = Vec3::Zero())
      : system({{.body = 0, .p_B = p_B}}, {plane}), scratch(system.make_scratch()) {}

  ContactInput input() {
    p_WR = X_WB.p;
    return {.bodies = {.X_WB = {&X_WB, 1}, .V_WR = {&V_WB, 1}, .p_WR = {&p_WR, 1}}};
  }
  Wrench wrench() {
    Wrench sum;
    system.evaluate(input(), {}, Purpose::stiffness, *scratch, {&sum, 1});
    return sum;
  }

  PlaneSystem system;
  std::unique_ptr<ContactScratch> scratch;
  Pose X_WB;
  Twist V_WB;  // at the body's origin
  Vec3 p_WR;
};

TEST(PlaneSystem, PressesByDepthAndItsRateAndRubsAgainstSliding) {
  Host host;
  host.X_WB.p = Vec3(0.3, 0, -0.002);
  host.V_WB.linear = Vec3(1, 0, -0.1);
  const Wrench wrench = host.wrench();
  EXPECT_NEAR(wrench.force.z(), 1e5 * 0.002 + 1e3 * 0.1, 1e-9);  // 300 N
  EXPECT_NEAR(wrench.force.x(), -0.5 * 300, 1e-9);
  EXPECT_EQ(wrench.torque, Vec3::Zero());
}

TEST(PlaneSystem, NeverPullsAndLetsGoAbove) {
  Host host;
  host.X_WB.p.z() = -0.002;
  host.V_WB.linear.z() = 10;
  EXPECT_EQ(host.wrench().force, Vec3::Zero());
  host.X_WB.p.z() = 0.001;
  host.V_WB.linear.z() = -10;
  EXPECT_EQ(host.wrench().force, Vec3::Zero());
}

// At a tenth of the creep speed, a tenth of the friction.
TEST(PlaneSystem, CreepsBelowTheCreepSpeed) {
  Host host;
  host.X_WB.p.z() = -0.001;
  host.V_WB.linear.x() = 0.1 * kPlane.creep_speed;
  EXPECT_NEAR(host.wrench().force.x(), -0.1 * 0.5 * 100, 1e-9);
}

// The wrench is about the body's origin: 100 N up at 0.2 m along x turn about -y.
TEST(PlaneSystem, ActsWhereThePointIs) {
  Host host(kPlane, Vec3(0.2, 0, -0.001));
  EXPECT_LT((host.wrench().torque - Vec3(0, -20, 0)).norm(), 1e-9);
}

TEST(PlaneSystem, LiesWhereItIsPut) {
  SpringyPlane plane = kPlane;
  plane.point = Vec3(0, 0, 1);
  plane.normal = Vec3(3, 0, 4);  // any length
  Host host(plane);
  host.X_WB.p = Vec3(0, 0, 1) - 0.01 * Vec3(0.6, 0, 0.8);
  EXPECT_LT((host.wrench().force - 1000 * Vec3(0.6, 0, 0.8)).norm(), 1e-6);
}

// Against differences: over a step of `reach` a velocity u also moves the point by u · reach.
TEST(PlaneSystem, StiffnessIsTheDerivative) {
  constexpr double kReach = 1e-3, kSmall = 1e-6;
  Host host(kPlane, Vec3(0.1, -0.2, 0.05));
  host.X_WB.p = Vec3(0.4, 0.1, -0.06);
  host.V_WB.linear = Vec3(0.2, 0.1, 0);
  const Wrench before = host.wrench();
  ContactStiffness stiffness;
  host.system.stiffness(host.input(), {}, kReach, *host.scratch, stiffness);
  ASSERT_EQ(stiffness.bodies.size(), 1u);
  // Along the normal; friction is taken as it is at the present load, and so left out.
  host.V_WB.linear.z() += kSmall;
  host.X_WB.p.z() += kReach * kSmall;
  const double change = (before.force.z() - host.wrench().force.z()) / kSmall;
  EXPECT_NEAR(stiffness.bodies[0].matrix(5, 5), kReach * change, 1e-6 * kReach * change);
  EXPECT_TRUE(stiffness.bodies[0].matrix.isApprox(stiffness.bodies[0].matrix.transpose()));
}

TEST(PlaneSystem, ReportsWhatItFeels) {
  Host host;
  host.X_WB.p.z() = -0.002;
  host.V_WB.linear.x() = 1;
  host.wrench();
  std::vector<ContactReading> readings;
  host.system.sample(host.input(), {}, *host.scratch, readings);
  ASSERT_EQ(readings.size(), 1u);
  EXPECT_TRUE(readings[0].in_contact);
  EXPECT_NEAR(readings[0].depth, 0.002, 1e-15);
  EXPECT_NEAR(readings[0].power, 100 * 1, 1e-9);  // friction times speed
  EXPECT_EQ(host.system.force_on(0, {}, *host.scratch), readings[0].force);
}

TEST(PlaneSystem, RefusesNonsense) {
  SpringyPlane plane = kPlane;
  plane.normal = Vec3::Zero();
  plane.stiffness = -1;
  plane.friction = std::numeric_limits<double>::quiet_NaN();
  try {
    PlaneSystem({}, {plane});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.issues().size(), 3u);
    EXPECT_THAT(error.what(), HasSubstr("plane.stiffness"));
  }
  EXPECT_THROW(PlaneSystem({}, {kPlane}).load(std::vector<double>{1}), DamagedMemory);
}

}  // namespace
}  // namespace grouser::internal
