#include "multibody/forces.h"

#include <cmath>

#include <gtest/gtest.h>

#include "math/finite_difference.h"
#include "math/rotation.h"
#include "multibody/jacobian.h"
#include "multibody/test_models.h"

namespace grouser::internal {
namespace {

/// Passive force of one slider with the given law.
double slider_force(const DofLaw& law, double q, double v) {
  const JointSpec joint{.type = JointType::prismatic, .laws = {law}};
  const Model model(one_body(joint, {1, Vec3::Zero(), Mat3::Identity()}));
  double tau = 100;  // forces are added to what is there
  add_passive_joint_forces(model, &q, &v, &tau);
  return tau - 100;
}

TEST(PassiveJoint, SpringPullsTowardsItsRest) {
  EXPECT_NEAR(slider_force({.stiffness = 10, .rest = 0.5}, 0.7, 0), -2, 1e-13);  // measured 0
  EXPECT_NEAR(slider_force({.stiffness = 10, .rest = 0.5}, 0.2, 0), 3, 1e-13);   // measured 0
}

TEST(PassiveJoint, DamperBrakes) {
  EXPECT_EQ(slider_force({.damping = 3}, 1, 2), -6);
  EXPECT_EQ(slider_force({.damping = 3}, 1, -2), 6);
}

TEST(PassiveJoint, FrictionIsASmoothedSign) {
  const DofLaw law{.friction = 4, .friction_speed = 0.1};
  EXPECT_EQ(slider_force(law, 0, 0), 0);
  EXPECT_NEAR(slider_force(law, 0, 0.1), -4 * 0.7615941559557649, 1e-13);  // tanh 1; measured 6e-15
  EXPECT_NEAR(slider_force(law, 0, -0.1), 4 * 0.7615941559557649, 1e-13);  // measured 6e-15
  EXPECT_NEAR(slider_force(law, 0, 10), -4, 1e-13);                        // measured 0
  EXPECT_NEAR(slider_force(law, 0, -10), 4, 1e-13);                        // measured 0
}

TEST(PassiveJoint, StopsPushBackFromBeyondTheirEnds) {
  const DofLaw law{.lower = -1, .upper = 2, .stop_stiffness = 100, .stop_damping = 10};
  EXPECT_EQ(slider_force(law, -0.99, -5), 0);
  EXPECT_EQ(slider_force(law, 1.99, 5), 0);
  EXPECT_NEAR(slider_force(law, -1.1, 0), 10, 1e-12);    // measured 2e-14
  EXPECT_NEAR(slider_force(law, -1.1, -1), 20, 1e-12);   // pressing harder; measured 0
  EXPECT_NEAR(slider_force(law, -1.1, 0.5), 5, 1e-12);   // leaving; measured 2e-14
  EXPECT_NEAR(slider_force(law, 2.1, 0), -10, 1e-12);    // measured 2e-14
  EXPECT_NEAR(slider_force(law, 2.1, 1), -20, 1e-12);    // measured 0
  EXPECT_NEAR(slider_force(law, 2.1, -0.5), -5, 1e-12);  // measured 2e-14
}

TEST(PassiveJoint, StopsNeverPull) {
  const DofLaw law{.lower = -1, .upper = 2, .stop_stiffness = 100, .stop_damping = 10};
  for (double v = -50; v <= 50; v += 0.5) {
    for (double depth = 0.01; depth < 1; depth += 0.07) {
      EXPECT_GE(slider_force(law, -1 - depth, v), 0);
      EXPECT_LE(slider_force(law, 2 + depth, v), 0);
    }
  }
}

/// A ball joint with a spring of 8 N m/rad in a turned frame.
Model ball_joint() {
  JointSpec joint{.type = JointType::spherical, .laws = {{.stiffness = 8, .damping = 2}}};
  joint.X_PF.R = rotation_from_rpy({0.3, 0.4, 0.5});
  return Model(one_body(joint, {1, Vec3::Zero(), Mat3::Identity()}));
}

TEST(PassiveJoint, BallSpringTurnsBackAlongItsRotationVector) {
  const Model model = ball_joint();
  const Vec3 turn(0.1, -0.2, 0.4), omega(1, 2, 3);
  VecX q = model.neutral_positions();
  wxyz_rotate(q.data(), turn);
  VecX tau = VecX::Zero(3);
  add_passive_joint_forces(model, q.data(), omega.data(), tau.data());
  EXPECT_NEAR((tau - (-8 * turn - 2 * omega)).norm(), 0, 1e-14);  // measured 2e-15
}

TEST(PassiveJoint, BallSpringIsTheGradientOfItsEnergy) {
  const Model model = ball_joint();
  CounterRng rng(1);
  for (int i = 0; i < 50; ++i) {
    const VecX q = random_positions(model, rng);
    if (std::abs(q[0]) < 0.05) continue;  // at half a turn the spring snaps to the other side
    VecX tau = VecX::Zero(3), gradient(3);
    add_passive_joint_forces(model, q.data(), VecX(VecX::Zero(3)).data(), tau.data());
    for (int k = 0; k < 3; ++k) {
      gradient[k] = derivative([&](double t) {
        const VecX turned = advanced(model, q, VecX::Unit(3, k), t);
        const Kinematics kinematics = kinematics_at(model, turned, VecX::Zero(3));
        return elastic_energy(model, kinematics, turned.data(), 0);
      });
    }
    EXPECT_LE(relative_error(tau, -gradient), 1e-10);  // measured 6e-13
  }
}

/// A free body and a point of the world; the body's point is at p_W, moving with v.
class ElementForce : public testing::Test {
 protected:
  static constexpr double kTime = 2;

  Model model(const SpringDamper& spring) const {
    ModelSpec spec = body();
    spec.springs = {spring};
    return Model(spec);
  }
  Model model(const Tether& tether) const {
    ModelSpec spec = body();
    spec.tethers = {tether};
    return Model(spec);
  }
  /// Wrench on the body at `p` that moves without turning.
  Wrench wrench(const Model& model, const Vec3& p, const Vec3& v) const {
    VecX q = model.neutral_positions(), rates = VecX::Zero(6);
    q.tail(3) = p;
    rates.tail(3) = v;
    const Kinematics kinematics = kinematics_at(model, q, rates);
    Wrench sum;
    add_element_wrenches(model, kinematics, kTime, {&sum, 1});
    return sum;
  }

 private:
  static ModelSpec body() {
    return one_body({.type = JointType::free}, {1, Vec3::Zero(), Mat3::Identity()});
  }
};

// The body's point is 1 m above its origin. From (0, 0, 0) it is seen at (3, 4, 0): 5 m away.
TEST_F(ElementForce, SpringAndDamperInLine) {
  const Model m = model(SpringDamper{.name = "s",
                                     .a = {.body = kWorld},
                                     .b = {.body = 0, .p_B = {0, 0, 1}},
                                     .stiffness = 10,
                                     .damping = 2,
                                     .rest_length = 3});
  const Vec3 p(3, 4, -1), away(0.6, 0.8, 0);
  const Wrench still = wrench(m, p, Vec3::Zero());
  EXPECT_NEAR((still.force + 20 * away).norm(), 0, 1e-14);  // 10 N/m · 2 m, pulling; measured 0
  EXPECT_NEAR((still.torque - Vec3(0, 0, 1).cross(-20 * away)).norm(), 0, 1e-14);  // measured 0
  // Leaving at 7 m/s adds 14 N; sideways motion adds nothing.
  const Wrench moving = wrench(m, p, 7 * away + Vec3(0, 0, 9));
  EXPECT_NEAR((moving.force + 34 * away).norm(), 0, 1e-14);  // measured 0
  // Nearer than the rest length it pushes.
  EXPECT_NEAR((wrench(m, Vec3(0, 1, -1), Vec3::Zero()).force - Vec3(0, 20, 0)).norm(), 0,
              1e-14);  // measured 0
}

TEST_F(ElementForce, CoincidentEndsHaveNoLineAndNoForce) {
  const Model m = model(
      SpringDamper{.name = "s", .b = {.body = 0}, .stiffness = 10, .damping = 2, .rest_length = 1});
  EXPECT_EQ(wrench(m, Vec3::Zero(), Vec3::Ones()).force, Vec3::Zero());
}

TEST_F(ElementForce, TetherPullsOnlyWhenTaut) {
  const Model m =
      model(Tether{.name = "t", .b = {.body = 0}, .stiffness = 100, .damping = 10, .length = 2});
  const Vec3 x = Vec3::UnitX();
  EXPECT_EQ(wrench(m, 1.9 * x, 50 * x).force, Vec3::Zero());                  // slack, however fast
  EXPECT_NEAR((wrench(m, 2.5 * x, 0 * x).force + 50 * x).norm(), 0, 1e-13);   // measured 0
  EXPECT_NEAR((wrench(m, 2.5 * x, 3 * x).force + 80 * x).norm(), 0, 1e-13);   // measured 0
  EXPECT_NEAR((wrench(m, 2.5 * x, -3 * x).force + 20 * x).norm(), 0, 1e-13);  // measured 0
  EXPECT_EQ(wrench(m, 2.5 * x, -6 * x).force, Vec3::Zero());                  // never pushes
}

TEST_F(ElementForce, WinchPaysOut) {
  // After 2 s at 0.2 m/s the rope is 2.4 m long; a point that follows at that speed feels no damping.
  const Model m = model(Tether{
      .name = "t", .b = {.body = 0}, .stiffness = 100, .damping = 10, .length = 2, .rate = 0.2});
  const Vec3 x = Vec3::UnitX();
  EXPECT_NEAR((wrench(m, 2.5 * x, 0.2 * x).force + 10 * x).norm(), 0, 1e-13);  // measured 9e-15
  EXPECT_NEAR((wrench(m, 2.5 * x, 0 * x).force + 8 * x).norm(), 0, 1e-13);     // measured 9e-15
}

TEST(ElementForces, BetweenBodiesAreEqualAndOpposite) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    RandomSystem s(seed, {.force_elements = true});
    const LineOfAction line =
        line_between(s.model, s.kinematics, s.model.springs()[0].a, s.model.springs()[0].b);
    const LineOfAction back =
        line_between(s.model, s.kinematics, s.model.springs()[0].b, s.model.springs()[0].a);
    EXPECT_EQ(line.length, back.length);
    EXPECT_EQ(line.rate, back.rate);
    EXPECT_EQ(line.direction, -back.direction);
  }
}

// At rest all that the elements and joint springs do comes from their energy.
TEST(ElementForces, AreTheGradientOfTheElasticEnergy) {
  int tested = 0;
  constexpr double kTime = 0.4;
  for (std::uint64_t seed = 0; seed < kRandomSystems; ++seed) {
    const RandomSystem s(seed, {.passive_laws = true, .force_elements = true});
    if (!is_smooth(s, kTime)) continue;
    ++tested;
    const int n = s.model.velocity_size();
    const VecX still = VecX::Zero(n);
    const Kinematics kinematics = kinematics_at(s.model, s.q, still);
    VecX tau = VecX::Zero(n), gradient(n);
    add_passive_joint_forces(s.model, s.q.data(), still.data(), tau.data());
    std::vector<Wrench> wrenches(s.wrenches.size());
    add_element_wrenches(s.model, kinematics, kTime, wrenches);
    for (std::size_t b = 0; b < wrenches.size(); ++b) {
      // A winch would add damping even at rest; its share is taken out below.
      add_wrench(s.model, kinematics, static_cast<int>(b), kinematics.X_WB[b].p, wrenches[b],
                 tau.data());
    }
    for (const Tether& tether : s.model.tethers()) {
      const LineOfAction line = line_between(s.model, kinematics, tether.a, tether.b);
      Tether undamped = tether;
      undamped.damping = 0;
      const double extra =
          tether_tension(tether, line, kTime) - tether_tension(undamped, line, kTime);
      add_wrench(s.model, kinematics, tether.a.body, line.p_Wa,
                 {Vec3::Zero(), -extra * line.direction}, tau.data());
      add_wrench(s.model, kinematics, tether.b.body, line.p_Wb,
                 {Vec3::Zero(), extra * line.direction}, tau.data());
    }
    for (int k = 0; k < n; ++k) {
      gradient[k] = derivative([&](double t) {
        const VecX q = advanced(s.model, s.q, VecX::Unit(n, k), t);
        return elastic_energy(s.model, kinematics_at(s.model, q, still), q.data(), kTime);
      });
    }
    EXPECT_LE(relative_error(tau, -gradient, 1), 1e-10) << seed;  // measured 2e-12
  }
  EXPECT_GE(tested, 100);
}

}  // namespace
}  // namespace grouser::internal
