#include "multibody/kinematics.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "math/finite_difference.h"
#include "math/rotation.h"
#include "multibody/test_models.h"

namespace grouser::internal {
namespace {

constexpr double kQuarter = std::numbers::pi / 2;

/// Kinematics of one unit body on the world.
Kinematics one_body_at(const JointSpec& joint, const VecX& q, const VecX& v) {
  return kinematics_at(Model(one_body(joint, {1, Vec3::Zero(), Mat3::Identity()})), q, v);
}

double difference(const Vec3& a, const Vec3& b) { return (a - b).cwiseAbs().maxCoeff(); }

/// Turns the joint frame so that its x axis is the world's y axis, and moves it to (1, 2, 3).
Pose turned_and_moved() { return {rotation_about(Vec3::UnitZ(), kQuarter), {1, 2, 3}}; }

TEST(JointKinematics, Fixed) {
  const Kinematics k = one_body_at({.type = JointType::fixed, .X_PF = turned_and_moved()}, {}, {});
  EXPECT_EQ(k.X_WB[0].p, Vec3(1, 2, 3));
  EXPECT_NEAR(difference(k.X_WB[0].R * Vec3::UnitX(), Vec3::UnitY()), 0, 1e-14);  // measured 7e-17
  EXPECT_EQ(k.V[0].linear(), Vec3::Zero());
}

TEST(JointKinematics, Revolute) {
  const JointSpec joint{
      .type = JointType::revolute, .X_PF = turned_and_moved(), .axis = Vec3::UnitX()};
  const Kinematics k = one_body_at(joint, numbers({kQuarter}), numbers({2}));
  EXPECT_EQ(k.X_WB[0].p, Vec3(1, 2, 3));
  // The joint's y axis is the world's -x; a quarter turn about the world's y takes that to z.
  EXPECT_NEAR(difference(k.X_WB[0].R * Vec3::UnitY(), Vec3::UnitZ()), 0, 1e-14);  // measured 7e-17
  EXPECT_NEAR(difference(k.V[0].angular(), Vec3(0, 2, 0)), 0, 1e-14);             // measured 2e-16
  EXPECT_NEAR(difference(k.V[0].linear(), Vec3::Zero()), 0, 1e-14);               // measured 0
}

TEST(JointKinematics, Prismatic) {
  const JointSpec joint{
      .type = JointType::prismatic, .X_PF = turned_and_moved(), .axis = Vec3::UnitX()};
  const Kinematics k = one_body_at(joint, numbers({5}), numbers({2}));
  EXPECT_NEAR(difference(k.X_WB[0].p, Vec3(1, 7, 3)), 0, 1e-14);      // measured 3e-16
  EXPECT_NEAR(difference(k.V[0].linear(), Vec3(0, 2, 0)), 0, 1e-14);  // measured 2e-16
  EXPECT_EQ(k.V[0].angular(), Vec3::Zero());
}

TEST(JointKinematics, UniversalTurnsTheSecondAxisWithTheFirst) {
  const JointSpec joint{
      .type = JointType::universal, .axis = Vec3::UnitZ(), .axis2 = Vec3::UnitY()};
  const Kinematics k = one_body_at(joint, numbers({kQuarter, kQuarter}), numbers({2, 3}));
  // R = Rz Ry: x goes to -z and stays there; z goes to x and on to y.
  EXPECT_NEAR(difference(k.X_WB[0].R * Vec3::UnitX(), -Vec3::UnitZ()), 0, 1e-14);  // measured 7e-17
  EXPECT_NEAR(difference(k.X_WB[0].R * Vec3::UnitZ(), Vec3::UnitY()), 0, 1e-14);   // measured 7e-17
  // The second axis now points along -x.
  EXPECT_NEAR(difference(k.V[0].angular(), Vec3(-3, 0, 2)), 0, 1e-14);  // measured 2e-16
  // d/dt of the second axis is 2 z × (-x) = -2 y, times the rate 3.
  EXPECT_NEAR(difference(k.C[0].angular(), Vec3(0, -6, 0)), 0, 1e-14);  // measured 4e-16
}

TEST(JointKinematics, SphericalVelocityIsInTheAxesOfTheJointFrame) {
  const JointSpec joint{.type = JointType::spherical, .X_PF = turned_and_moved()};
  // A quarter turn about the joint's x axis, turning on at 2 about the joint's x and 3 about z.
  const double c = std::sqrt(0.5);
  const Kinematics k = one_body_at(joint, numbers({c, c, 0, 0}), numbers({2, 0, 3}));
  EXPECT_NEAR(difference(k.X_WB[0].R * Vec3::UnitY(), Vec3::UnitZ()), 0, 1e-14);  // measured 0
  EXPECT_NEAR(difference(k.V[0].angular(), Vec3(0, 2, 3)), 0, 1e-14);             // measured 2e-16
  EXPECT_EQ(k.X_WB[0].p, Vec3(1, 2, 3));
}

TEST(JointKinematics, PlanarSlidesAlongTheAxesOfTheJointFrame) {
  const JointSpec joint{.type = JointType::planar, .X_PF = turned_and_moved()};
  const Kinematics k = one_body_at(joint, numbers({5, 7, kQuarter}), numbers({2, 3, 4}));
  EXPECT_NEAR(difference(k.X_WB[0].p, Vec3(1 - 7, 2 + 5, 3)), 0, 1e-14);           // measured 0
  EXPECT_NEAR(difference(k.X_WB[0].R * Vec3::UnitX(), -Vec3::UnitX()), 0, 1e-14);  // measured 2e-16
  EXPECT_NEAR(difference(k.V[0].angular(), Vec3(0, 0, 4)), 0, 1e-14);              // measured 0
  EXPECT_NEAR(difference(k.V[0].linear(), Vec3(-3, 2, 0)), 0,
              1e-14);  // at the body's origin; measured 0
}

TEST(JointKinematics, FreeVelocityIsThatOfTheOrigin) {
  const double c = std::sqrt(0.5);
  const Kinematics k = one_body_at({.type = JointType::free}, numbers({c, 0, 0, c, 1, 2, 3}),
                                   numbers({4, 5, 6, 7, 8, 9}));
  EXPECT_NEAR(difference(k.X_WB[0].R * Vec3::UnitX(), Vec3::UnitY()), 0, 1e-14);  // measured 0
  EXPECT_EQ(k.X_WB[0].p, Vec3(1, 2, 3));
  EXPECT_EQ(k.V[0].angular(), Vec3(4, 5, 6));
  EXPECT_EQ(k.V[0].linear(), Vec3(7, 8, 9));
}

TEST(ForwardKinematics, TwoLinkArm) {
  // Links of 1 m about y: the first hangs along -x (a quarter turn), the second along -z again.
  const Model model(pendulum_chain(2));
  const Kinematics k = kinematics_at(model, numbers({kQuarter, -kQuarter}), numbers({2, 0}));
  EXPECT_NEAR(difference(k.X_WB[1] * Vec3(0, 0, -1), Vec3(-1, 0, -1)), 0, 1e-14);  // measured 0
  // The tip is √2 from the pivot and turns about it with the first link: ω × r = 2 y × (-1, 0, -1).
  EXPECT_NEAR(difference(twist_at(model, k, 1, {-1, 0, -1}).linear, Vec3(-2, 0, 2)), 0,
              1e-14);  // measured 0
}

TEST(ForwardKinematics, TheWorldStandsStill) {
  const Model model(pendulum_chain(1));
  const Kinematics k = kinematics_at(model, numbers({1}), numbers({1}));
  const Twist V = twist_at(model, k, kWorld, {1, 2, 3});
  EXPECT_EQ(V.angular, Vec3::Zero());
  EXPECT_EQ(V.linear, Vec3::Zero());
  EXPECT_EQ(position_of(k, {kWorld, {1, 2, 3}}), Vec3(1, 2, 3));
}

TEST(ForwardKinematics, OffsetsFromTheRootAgreeWithPoses) {
  for (std::uint64_t seed = 0; seed < kRandomSystems; ++seed) {
    const RandomSystem s(seed);
    for (std::size_t b = 0; b < s.kinematics.X_WB.size(); ++b) {
      const Joint& joint = s.model.joints()[b];
      const Vec3& p_WO = s.kinematics.p_WO[static_cast<std::size_t>(joint.tree)];
      if (joint.parent == kWorld) {
        EXPECT_EQ(s.kinematics.r_OB[b].vec3(), Vec3::Zero()) << seed;
      }
      EXPECT_NEAR(difference(s.kinematics.X_WB[b].p, p_WO + s.kinematics.r_OB[b].vec3()), 0,
                  1e-14);  // measured 0
      EXPECT_EQ(s.kinematics.X_WB[b].R, s.kinematics.R_WB[b].mat3());
    }
  }
}

/// Twist of body b at p_W by differences of its pose along the motion of constant v.
Vec6 twist_by_differences(const RandomSystem& s, std::size_t b, const Vec3& p_W) {
  using Pose34 = Eigen::Matrix<double, 3, 4>;
  const Pose now = s.kinematics.X_WB[b];
  const auto pose = [&](double t) {
    const Pose X = kinematics_at(s.model, advanced(s.model, s.q, s.v, t), s.v).X_WB[b];
    Pose34 both;
    both << X.R, X * (now.inverse() * p_W);
    return both;
  };
  const Pose34 rate = derivative(pose);
  const Mat3 spin = rate.leftCols<3>() * now.R.transpose();
  Vec6 twist;
  twist << spin(2, 1), spin(0, 2), spin(1, 0), rate.col(3);
  return twist;
}

TEST(ForwardKinematics, TwistsEqualDifferencesOfPoses) {
  for (std::uint64_t seed = 0; seed < kRandomSystems; ++seed) {
    RandomSystem s(seed);
    for (std::size_t b = 0; b < s.kinematics.X_WB.size(); ++b) {
      const Vec3 p_W = random_vec3(s.rng, 3);
      const Twist V = twist_at(s.model, s.kinematics, static_cast<int>(b), p_W);
      Vec6 twist;
      twist << V.angular, V.linear;
      EXPECT_LE(relative_error(twist, twist_by_differences(s, b, p_W), 1), 1e-10)
          << seed;  // measured 2e-12
    }
  }
}

// Along the motion of constant v, the twist at a point fixed in W changes by the sum of C from the
// root to the body. V itself is about O, which moves.
TEST(ForwardKinematics, VelocityProductsEqualDifferencesOfTwists) {
  for (std::uint64_t seed = 0; seed < kRandomSystems; ++seed) {
    const RandomSystem s(seed);
    const int bodies = s.model.body_count();
    std::vector<Vec6> sum(static_cast<std::size_t>(bodies), Vec6::Zero());
    MatX expected(6, bodies);
    for (int i = 0; i < bodies; ++i) {
      const std::size_t b = static_cast<std::size_t>(i);
      const int parent = s.model.joints()[b].parent;
      if (parent != kWorld) sum[b] = sum[static_cast<std::size_t>(parent)];
      sum[b].head<3>() += s.kinematics.C[b].angular();
      sum[b].tail<3>() += s.kinematics.C[b].linear();
      expected.col(i) = sum[b];
    }
    const auto twists = [&](double t) {
      const Kinematics k = kinematics_at(s.model, advanced(s.model, s.q, s.v, t), s.v);
      MatX all(6, bodies);
      for (int i = 0; i < bodies; ++i) {
        const int tree = s.model.joints()[static_cast<std::size_t>(i)].tree;
        const Vec3& fixed = s.kinematics.p_WO[static_cast<std::size_t>(tree)];
        const Twist V = twist_at(s.model, k, i, fixed);
        all.col(i) << V.angular, V.linear;
      }
      return all;
    };
    EXPECT_LE(relative_error(derivative(twists), expected, 1), 1e-10) << seed;  // measured 7e-13
  }
}

TEST(PositionRate, EqualsDifferencesOfAdvancedPositions) {
  for (std::uint64_t seed = 0; seed < kRandomSystems; ++seed) {
    const RandomSystem s(seed);
    VecX rate(s.model.position_size());
    position_rate(s.model, s.q.data(), s.v.data(), rate.data());
    const auto along = [&](double t) { return advanced(s.model, s.q, s.v, t); };
    EXPECT_LE(relative_error(rate, derivative(along)), 1e-10) << seed;  // measured 3e-13
  }
}

TEST(AdvancePositions, IsExactForAnyStepAtConstantVelocity) {
  for (std::uint64_t seed = 0; seed < kRandomSystems; ++seed) {
    const RandomSystem s(seed);
    VecX small = s.q;
    for (int i = 0; i < 10; ++i) small = advanced(s.model, small, s.v, 0.1);
    EXPECT_LE(relative_error(small, advanced(s.model, s.q, s.v, 1)), 1e-14)
        << seed;  // measured 7e-16
    EXPECT_EQ(advanced(s.model, s.model.neutral_positions(), s.v, 0), s.model.neutral_positions());
  }
}

TEST(NormalizePositions, ScalesQuaternionsAndNothingElse) {
  JointSpec free{.type = JointType::free};
  ModelSpec spec = one_body(free, {1, Vec3::Zero(), Mat3::Identity()});
  spec.bodies.push_back(spec.bodies[0]);
  spec.bodies[1].name = "slider";
  spec.bodies[1].joint.type = JointType::prismatic;
  const Model model(spec);
  VecX q = numbers({2, -4, 5, 6, 10, 20, 30, 40});
  normalize_positions(model, q.data());
  EXPECT_EQ(q, numbers({2.0 / 9, -4.0 / 9, 5.0 / 9, 6.0 / 9, 10, 20, 30, 40}));
}

}  // namespace
}  // namespace grouser::internal
