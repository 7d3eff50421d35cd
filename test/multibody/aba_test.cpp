#include "multibody/aba.h"

#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/LU>

#include "math/rotation.h"
#include "multibody/crba.h"
#include "multibody/rnea.h"
#include "multibody/test_models.h"

namespace grouser::internal {
namespace {

/// `vdot` holds the prescribed accelerations.
VecX accelerations(const Model& model, const Kinematics& kinematics, const VecX& tau,
                   std::span<const Wrench> wrenches, VecX vdot) {
  AbaScratch scratch(model);
  aba(model, kinematics, tau.data(), wrenches, scratch, vdot.data());
  return vdot;
}

VecX accelerations(const Model& model, const VecX& q, const VecX& v, const VecX& tau,
                   std::span<const Wrench> wrenches = {}) {
  // Not a number unless the algorithm writes it.
  const VecX unset = VecX::Constant(model.velocity_size(), std::nan(""));
  return accelerations(model, kinematics_at(model, q, v), tau, wrenches, unset);
}

VecX inverse_dynamics(const RandomSystem& s, const VecX& vdot, std::span<const Wrench> wrenches) {
  RneaScratch scratch(s.model);
  VecX tau(s.model.velocity_size());
  rnea(s.model, s.kinematics, vdot.data(), wrenches, scratch, tau.data());
  return tau;
}

TEST(Aba, IsTheInverseOfRnea) {
  for (std::uint64_t seed = 0; seed < kRandomSystems; ++seed) {
    const RandomSystem s(seed);
    const VecX vdot = accelerations(s.model, s.kinematics, s.tau, s.wrenches, s.vdot);
    // The forces of the bodies are larger than what is left of them at the joints.
    const double scale = inverse_dynamics(s, vdot, {}).norm();
    EXPECT_LE(relative_error(inverse_dynamics(s, vdot, s.wrenches), s.tau, scale), 1e-10)
        << seed;  // measured 4e-14
    const VecX tau = inverse_dynamics(s, s.vdot, s.wrenches);
    EXPECT_LE(relative_error(accelerations(s.model, s.kinematics, tau, s.wrenches, s.vdot), s.vdot),
              1e-10)
        << seed;  // measured 8e-14
  }
}

TEST(Aba, AgreesWithTheMassMatrix) {
  for (std::uint64_t seed = 0; seed < kRandomSystems; ++seed) {
    const RandomSystem s(seed);
    MassMatrix M(s.model);
    crba(s.model, s.kinematics, M);
    const VecX bias = inverse_dynamics(s, VecX::Zero(s.model.velocity_size()), s.wrenches);
    const VecX expected = M.dense().partialPivLu().solve(s.tau - bias);
    const VecX vdot = accelerations(s.model, s.kinematics, s.tau, s.wrenches, s.vdot);
    EXPECT_LE(relative_error(vdot, expected), 1e-10) << seed;  // measured 5e-14
  }
}

TEST(Aba, KeepsPrescribedAccelerationsAndMovesTheRestAccordingly) {
  int prescribed = 0;
  for (std::uint64_t seed = 0; seed < kRandomSystems; ++seed) {
    const RandomSystem s(seed, {.prescribed = true});
    const VecX vdot = accelerations(s.model, s.kinematics, s.tau, s.wrenches, s.vdot);
    VecX tau = inverse_dynamics(s, vdot, s.wrenches);
    for (int i = 0; i < s.model.velocity_size(); ++i) {
      if (!s.model.prescribed()[static_cast<std::size_t>(i)]) continue;
      EXPECT_EQ(vdot[i], s.vdot[i]);
      tau[i] = s.tau[i];  // whatever it takes
      ++prescribed;
    }
    EXPECT_LE(relative_error(tau, s.tau, inverse_dynamics(s, vdot, {}).norm()), 1e-10)
        << seed;  // measured 4e-14
  }
  EXPECT_GE(prescribed, 200);
}

TEST(Aba, FallingRod) {
  // θ̈ = -(3 g / 2 L) sin θ.
  ModelSpec spec = one_body({.type = JointType::revolute, .axis = Vec3::UnitY()}, rod(2, 3));
  spec.gravity = Vec3(0, 0, -10);
  const Model model(spec);
  for (const double angle : {-2.0, 0.0, 0.7, 3.0}) {
    const VecX q = VecX::Constant(1, angle);
    const VecX vdot = accelerations(model, q, VecX::Ones(1), VecX::Zero(1));
    EXPECT_NEAR(vdot[0], -5 * std::sin(angle), 1e-14);  // measured 9e-16
  }
}

TEST(Aba, SlidingBlockWithRotorOnASlope) {
  // 2 kg on a slope of 30° driven by 7 N uphill through a rotor that counts for 3 kg.
  const double slope = std::acos(-1.0) / 6;
  JointSpec joint{.type = JointType::prismatic,
                  .axis = Vec3(std::cos(slope), 0, std::sin(slope)),
                  .laws = {{.armature = 3}}};
  ModelSpec spec = one_body(joint, {2, Vec3::Zero(), Mat3::Identity()});
  spec.gravity = Vec3(0, 0, -10);
  const VecX vdot = accelerations(Model(spec), VecX::Zero(1), VecX::Ones(1), VecX::Constant(1, 7));
  EXPECT_NEAR(vdot[0], (7 - 2 * 10 * 0.5) / 5, 1e-14);  // measured 4e-16
}

/// A planar double pendulum of rods with relative angles, in closed form: for example Spong,
/// Hutchinson & Vidyasagar, Robot Modeling and Control (2006), section 7.4, with angles from the
/// vertical.
struct DoublePendulum {
  double m1 = 1.3, m2 = 0.7, l1 = 0.8, l2 = 1.1, g = 9;

  Eigen::Vector2d accelerations(double q1, double q2, double v1, double v2) const {
    const double c1 = l1 / 2, c2 = l2 / 2, I1 = m1 * l1 * l1 / 12, I2 = m2 * l2 * l2 / 12;
    const double m12 = I2 + m2 * (c2 * c2 + l1 * c2 * std::cos(q2));
    Eigen::Matrix2d M;
    M << I1 + I2 + m1 * c1 * c1 + m2 * (l1 * l1 + c2 * c2 + 2 * l1 * c2 * std::cos(q2)), m12,  //
        m12, I2 + m2 * c2 * c2;
    const double h = m2 * l1 * c2 * std::sin(q2);
    const double fall = m2 * c2 * g * std::sin(q1 + q2);
    const Eigen::Vector2d rhs(
        h * v2 * v2 + 2 * h * v1 * v2 - (m1 * c1 + m2 * l1) * g * std::sin(q1) - fall,
        -h * v1 * v1 - fall);
    return M.inverse() * rhs;
  }
};

TEST(Aba, DoublePendulum) {
  const DoublePendulum exact;
  ModelSpec spec = pendulum_chain(2);
  spec.gravity = Vec3(0, 0, -exact.g);
  spec.bodies[0].inertia = rod(exact.m1, exact.l1);
  spec.bodies[1].inertia = rod(exact.m2, exact.l2);
  spec.bodies[1].joint.X_PF.p = Vec3(0, 0, -exact.l1);
  const Model model(spec);
  CounterRng rng(1);
  for (int i = 0; i < 100; ++i) {
    const VecX q = random_vector(2, rng, 3), v = random_vector(2, rng, 5);
    const VecX vdot = accelerations(model, q, v, VecX::Zero(2));
    EXPECT_LE(relative_error(vdot, exact.accelerations(q[0], q[1], v[0], v[1])),
              1e-13);  // measured 5e-15
  }
}

// The drive of the upper slider pushes the lower one back; the upper one's own acceleration is
// relative to the lower one.
TEST(Aba, SliderOnSlider) {
  JointSpec joint{.type = JointType::prismatic, .axis = Vec3::UnitX()};
  ModelSpec spec = one_body(joint, {5, Vec3::Zero(), Mat3::Identity()});
  spec.bodies.push_back({.name = "upper",
                         .inertia = {2, Vec3::Zero(), Mat3::Identity()},
                         .parent = 0,
                         .joint = joint});
  const VecX tau = Eigen::Vector2d(11, 6);
  const VecX vdot = accelerations(Model(spec), VecX::Ones(2), VecX::Ones(2), tau);
  EXPECT_NEAR(vdot[0], (11.0 - 6) / 5, 1e-14);  // measured 0
  EXPECT_NEAR(vdot[1], 6.0 / 2 - 1, 1e-14);     // measured 0
}

TEST(Aba, TorqueFreeGyroscopeObeysEulersEquations) {
  const Vec3 moments(1, 2, 2.5);
  for (const JointType type : {JointType::spherical, JointType::free}) {
    ModelSpec spec = one_body({.type = type}, {3, Vec3::Zero(), moments.asDiagonal()});
    spec.gravity.setZero();
    const Model model(spec);
    CounterRng rng(2);
    for (int i = 0; i < 100; ++i) {
      const VecX q = random_positions(model, rng);
      const VecX v = random_vector(model.velocity_size(), rng, 3);
      const Mat3 R = rotation_from_wxyz(q.data());
      const Vec3 omega = v.head<3>(), in_body = R.transpose() * omega;
      // I ω̇ = I ω × ω in the body's axes; ω̇ is the same vector in the world's.
      const Vec3 turn = moments.asDiagonal() * in_body;
      const Vec3 expected = R * turn.cross(in_body).cwiseQuotient(moments);
      const VecX vdot = accelerations(model, q, v, VecX::Zero(model.velocity_size()));
      EXPECT_LE(relative_error(vdot.head(3), expected), 1e-12);       // measured 2e-14
      EXPECT_LE(vdot.tail(model.velocity_size() - 3).norm(), 1e-13);  // measured 5e-15
    }
  }
}

TEST(Aba, FreeBodyUnderAForceAtAPoint) {
  // The centre of mass gains F/m; the body turns by the force's torque about it. What the joint
  // tells is the acceleration of the origin: that of the centre less α × c and the centripetal.
  const double mass = 3;
  const Vec3 com(0.2, -0.1, 0.3), moments(1, 2, 2.5);
  ModelSpec spec = one_body({.type = JointType::free}, {mass, com, moments.asDiagonal()});
  const Model model(spec);
  CounterRng rng(3);
  for (int i = 0; i < 100; ++i) {
    const VecX q = random_positions(model, rng), v = random_vector(6, rng, 3);
    const Mat3 R = rotation_from_wxyz(q.data());
    const Vec3 omega = v.head<3>(), force = random_vec3(rng, 10), point = random_vec3(rng);
    const Vec3 arm = R * (point - com), c = R * com;
    const Mat3 I = R * moments.asDiagonal() * R.transpose();
    const Vec3 alpha = I.inverse() * (arm.cross(force) - omega.cross(I * omega));
    const Vec3 origin = force / mass + spec.gravity - alpha.cross(c) - omega.cross(omega.cross(c));
    VecX expected(6);
    expected << alpha, origin;
    const Wrench at_origin{(R * point).cross(force), force};
    const VecX vdot = accelerations(model, q, v, VecX::Zero(6), {&at_origin, 1});
    EXPECT_LE(relative_error(vdot, expected), 1e-13);  // measured 2e-15
  }
}

TEST(Aba, FixedJointsWeldBodiesTogether) {
  CounterRng rng(4);
  const RigidInertia a = random_inertia(rng), b = random_inertia(rng);
  const Pose X_AB{rotation_from_rpy(random_vec3(rng)), random_vec3(rng)};
  ModelSpec welded = one_body({.type = JointType::free}, a);
  welded.bodies.push_back({.name = "plate", .inertia = b, .parent = 0, .joint = {.X_PF = X_AB}});
  const Model two(welded);
  const Model one(one_body({.type = JointType::free}, combined(a, transformed(X_AB, b))));
  const VecX q = random_positions(one, rng), v = random_vector(6, rng, 3);
  const VecX tau = random_vector(6, rng, 5);
  EXPECT_LE(relative_error(accelerations(two, q, v, tau), accelerations(one, q, v, tau)),
            1e-13);  // measured 3e-15
}

/// The rover with its trunk on the given joint, moved by `shift` [m] along x.
VecX rover_accelerations(JointType root, double shift) {
  ModelSpec spec = rover_tree();
  spec.bodies[0].joint.type = root;
  if (root != JointType::free) spec.bodies[0].joint.X_PF.p = Vec3(0.1, 0.2, 0.3);
  const Model model(spec);
  CounterRng rng(5);
  VecX q = random_positions(model, rng);
  const VecX v = random_vector(model.velocity_size(), rng);
  const VecX tau = random_vector(model.velocity_size(), rng);
  std::vector<Wrench> wrenches(static_cast<std::size_t>(model.body_count()));
  for (Wrench& F : wrenches) F = {random_vec3(rng), random_vec3(rng)};
  q[root == JointType::free ? 4 : 0] = shift;
  return accelerations(model, q, v, tau, wrenches);
}

TEST(Aba, IsAsPreciseFarFromTheOrigin) {
  for (const JointType root : {JointType::free, JointType::planar}) {
    const VecX near = rover_accelerations(root, 0), far = rover_accelerations(root, 1e5);
    EXPECT_LE(relative_error(far, near), 1e-12) << to_string(root);  // measured 0
  }
}

}  // namespace
}  // namespace grouser::internal
