#include "math/spatial.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "core/rng.h"
#include "math/rotation.h"

namespace grouser::internal {
namespace {

Vec3 random_unit_box(CounterRng& rng, double scale = 1) {
  const double x = rng.uniform(-scale, scale), y = rng.uniform(-scale, scale);
  return {x, y, rng.uniform(-scale, scale)};
}

Pose random_pose(CounterRng& rng) {
  return {rotation_from_rpy(random_unit_box(rng, 3)), random_unit_box(rng, 2)};
}

/// A cloud of point masses: any inertia can be checked against its sums.
struct Particle {
  double mass;
  Vec3 p;
};

std::vector<Particle> random_particles(CounterRng& rng, int count) {
  std::vector<Particle> particles;
  for (int i = 0; i < count; ++i) particles.push_back({rng.uniform(0.1, 1), random_unit_box(rng)});
  return particles;
}

Mat3 moment_about(const std::vector<Particle>& particles, const Vec3& point) {
  Mat3 sum = Mat3::Zero();
  for (const Particle& particle : particles) {
    const Mat3 cross = skew(particle.p - point);
    sum -= particle.mass * cross * cross;
  }
  return sum;
}

RigidInertia inertia_of(const std::vector<Particle>& particles) {
  RigidInertia inertia;
  for (const Particle& particle : particles) {
    inertia.mass += particle.mass;
    inertia.com += particle.mass * particle.p;
  }
  inertia.com /= inertia.mass;
  inertia.about_com = moment_about(particles, inertia.com);
  return inertia;
}

double difference(const RigidInertia& a, const RigidInertia& b) {
  return std::max({std::abs(a.mass - b.mass), (a.com - b.com).cwiseAbs().maxCoeff(),
                   (a.about_com - b.about_com).cwiseAbs().maxCoeff()});
}

TEST(Skew, IsTheCrossProduct) { EXPECT_EQ(skew({1, 2, 3}) * Vec3(4, 5, 6), Vec3(-3, 6, -3)); }

TEST(Pose, InverseAndProductActAsTransforms) {
  CounterRng rng(1);
  const Pose X_AB = random_pose(rng), X_BC = random_pose(rng);
  const Vec3 p_C = random_unit_box(rng);
  EXPECT_NEAR(((X_AB * X_BC) * p_C - X_AB * (X_BC * p_C)).norm(), 0, 1e-14);  // measured 2e-16
  EXPECT_NEAR((X_AB.inverse() * (X_AB * p_C) - p_C).norm(), 0, 1e-14);        // measured 7e-16
}

TEST(Twist, ShiftGivesTheVelocityOfTheOtherPoint) {
  // Turning about z at 2 rad/s, a point 3 m along x moves at 6 m/s along y.
  const Twist V{{0, 0, 2}, Vec3::Zero()};
  EXPECT_EQ(V.shifted({3, 0, 0}).linear, Vec3(0, 6, 0));
  EXPECT_EQ(V.shifted({3, 0, 0}).angular, V.angular);
}

TEST(Wrench, ShiftGivesTheTorqueAboutTheOtherPoint) {
  // A force along y at the origin turns negatively about a point on the positive x axis.
  const Wrench F{Vec3::Zero(), {0, 5, 0}};
  EXPECT_EQ(F.shifted({3, 0, 0}).torque, Vec3(0, 0, -15));
  EXPECT_EQ(F.shifted({3, 0, 0}).force, F.force);
}

TEST(Power, DoesNotDependOnTheReferencePoint) {
  CounterRng rng(2);
  for (int i = 0; i < 100; ++i) {
    const Twist V{random_unit_box(rng), random_unit_box(rng)};
    const Wrench F{random_unit_box(rng), random_unit_box(rng)};
    const Vec3 offset = random_unit_box(rng, 10);
    EXPECT_NEAR(power(F.shifted(offset), V.shifted(offset)), power(F, V), 1e-13);  // measured 4e-15
  }
}

TEST(RigidInertia, AboutOriginEqualsPointMassSum) {
  CounterRng rng(3);
  const std::vector<Particle> particles = random_particles(rng, 20);
  const Mat3 expected = moment_about(particles, Vec3::Zero());
  EXPECT_NEAR((inertia_of(particles).about_origin() - expected).norm(), 0,
              1e-13);  // measured 3e-15
}

TEST(RigidInertia, CombinedEqualsPointMassSum) {
  CounterRng rng(4);
  std::vector<Particle> a = random_particles(rng, 10);
  const std::vector<Particle> b = random_particles(rng, 15);
  const RigidInertia sum = combined(inertia_of(a), inertia_of(b));
  a.insert(a.end(), b.begin(), b.end());
  EXPECT_NEAR(difference(sum, inertia_of(a)), 0, 1e-13);  // measured 2e-15
}

TEST(RigidInertia, CombinedWithNothingIsUnchanged) {
  CounterRng rng(5);
  const RigidInertia body = inertia_of(random_particles(rng, 10));
  EXPECT_NEAR(difference(combined(body, RigidInertia{}), body), 0, 1e-14);  // measured 0
  EXPECT_EQ(difference(combined(RigidInertia{}, RigidInertia{}), RigidInertia{}), 0);
}

TEST(RigidInertia, TransformedEqualsPointMassSum) {
  CounterRng rng(6);
  const Pose X_AB = random_pose(rng);
  std::vector<Particle> particles = random_particles(rng, 20);
  const RigidInertia seen_from_A = transformed(X_AB, inertia_of(particles));
  for (Particle& particle : particles) particle.p = X_AB * particle.p;
  EXPECT_NEAR(difference(seen_from_A, inertia_of(particles)), 0, 1e-13);  // measured 2e-15
}

RigidInertia with_moments(double x, double y, double z, double mass = 1) {
  return {mass, Vec3::Zero(), Vec3(x, y, z).asDiagonal()};
}

TEST(PhysicalDefect, AcceptsRealBodies) {
  CounterRng rng(7);
  EXPECT_STREQ(physical_defect(RigidInertia{}), "");
  EXPECT_STREQ(physical_defect(inertia_of(random_particles(rng, 5))), "");
  EXPECT_STREQ(physical_defect(with_moments(0, 0, 0)), "");  // a point
  EXPECT_STREQ(physical_defect(with_moments(0, 2, 2)), "");  // a rod
  EXPECT_STREQ(physical_defect(with_moments(1, 1, 2)), "");  // a disc
  EXPECT_STREQ(physical_defect(with_moments(1e-12, 1e-12, 2e-12)), "");
}

TEST(PhysicalDefect, NamesWhatIsWrong) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const auto defect = [](const RigidInertia& inertia) -> std::string {
    return physical_defect(inertia);
  };
  EXPECT_EQ(defect(with_moments(1, 1, 1, kNan)), "the mass properties must be finite numbers");
  EXPECT_EQ(defect(with_moments(1, kNan, 1)), "the mass properties must be finite numbers");
  EXPECT_EQ(defect({1, {0, kNan, 0}, Mat3::Identity()}),
            "the mass properties must be finite numbers");
  EXPECT_EQ(defect(with_moments(1, 1, 1, -1)), "the mass must not be negative");
  RigidInertia skewed = with_moments(1, 1, 1);
  skewed.about_com(0, 1) = 0.1;
  EXPECT_EQ(defect(skewed), "the inertia matrix must be symmetric");
  EXPECT_NE(defect(with_moments(-0.1, 1, 1)).find("must not be negative"), std::string::npos);
  EXPECT_NE(defect(with_moments(1, 1, 2.1)).find("triangle"), std::string::npos);
  EXPECT_EQ(defect(with_moments(1, 1, 1, 0)), "a body without mass cannot have inertia");
  // The same in turned axes, where the diagonal alone looks innocent.
  const Mat3 R = rotation_from_rpy({0.5, 0.6, 0.7});
  EXPECT_NE(defect(transformed({R, Vec3::Zero()}, with_moments(1, 1, 2.1))).find("triangle"),
            std::string::npos);
}

}  // namespace
}  // namespace grouser::internal
