#include "multibody/balance.h"

#include <cmath>

#include <gtest/gtest.h>

#include "math/finite_difference.h"
#include "multibody/aba.h"
#include "multibody/forces.h"
#include "multibody/test_models.h"

namespace grouser::internal {
namespace {

constexpr double kTime = 0.4;

TEST(KineticEnergy, HandValues) {
  ModelSpec spec = one_body({.type = JointType::revolute, .axis = Vec3::UnitY()}, rod(2, 3));
  spec.bodies[0].joint.laws = {{.armature = 4}};
  const Model model(spec);
  const VecX q = VecX::Ones(1), v = VecX::Constant(1, 5);
  // ½ (m L²/3 + armature) ω²
  EXPECT_NEAR(kinetic_energy(model, kinematics_at(model, q, v), v.data()), 0.5 * 10 * 25,
              1e-12);  // measured 0
}

TEST(PotentialEnergy, IsWeightTimesHeight) {
  ModelSpec spec = one_body({.type = JointType::free}, {2, {0, 0, 0.5}, Mat3::Identity()});
  spec.gravity = Vec3(0, 0, -10);
  const Model model(spec);
  VecX q = model.neutral_positions();
  q.tail(3) = Vec3(7, 8, 3);
  const Kinematics k = kinematics_at(model, q, VecX::Zero(6));
  EXPECT_NEAR(potential_energy(model, k, q.data(), 0), 2 * 10 * 3.5, 1e-13);  // measured 0
}

TEST(Momentum, OfABodyThatFliesAndSpins) {
  // 2 kg at (1, 0, 0) + (0, 3, 0), its centre 3 m off the origin of the body.
  const Vec3 moments(1, 2, 2.5);
  const Model model(one_body({.type = JointType::free}, {2, {0, 3, 0}, moments.asDiagonal()}));
  VecX q = model.neutral_positions(), v(6);
  q.tail(3) = Vec3(1, 0, 0);
  v << 0, 0, 4, 5, 0, 0;
  const Wrench h = momentum(model, kinematics_at(model, q, v));
  const Vec3 centre(1, 3, 0), velocity(5 - 4 * 3, 0, 0);
  EXPECT_NEAR((h.force - 2 * velocity).norm(), 0, 1e-14);  // measured 0
  EXPECT_NEAR((h.torque - (centre.cross(2 * velocity) + Vec3(0, 0, 2.5 * 4))).norm(), 0,
              1e-13);  // measured 0
}

TEST(CenterOfMass, HandValue) {
  ModelSpec spec = pendulum_chain(2);
  const Model model(spec);
  const Kinematics k = kinematics_at(model, VecX::Zero(2), VecX::Zero(2));
  EXPECT_NEAR((center_of_mass(model, k) - Vec3(0, 0, -1)).norm(), 0, 1e-14);  // measured 0
  EXPECT_EQ(center_of_mass(Model(ModelSpec{}), Kinematics(Model(ModelSpec{}))), Vec3::Zero());
}

TEST(CenterOfMass, MovesWithTheLinearMomentum) {
  for (std::uint64_t seed = 0; seed < kRandomSystems; ++seed) {
    const RandomSystem s(seed);
    const auto centre = [&](double t) {
      return center_of_mass(s.model, kinematics_at(s.model, advanced(s.model, s.q, s.v, t), s.v));
    };
    const Vec3 expected = s.model.total_mass() * derivative(centre);
    EXPECT_LE(relative_error(momentum(s.model, s.kinematics).force, expected), 1e-10)
        << seed;  // measured 2e-12
  }
}

/// The system moved on for t [s] along its velocities and accelerations, exact to first order.
class Motion {
 public:
  Motion(const RandomSystem& s, const VecX& tau, std::span<const Wrench> wrenches)
      : system_(s), vdot_(s.vdot) {
    AbaScratch scratch(s.model);
    aba(s.model, s.kinematics, tau.data(), wrenches, scratch, vdot_.data());
  }
  VecX positions(double t) const { return advanced(system_.model, system_.q, system_.v, t); }
  VecX velocities(double t) const { return system_.v + t * vdot_; }
  Kinematics kinematics(double t) const {
    return kinematics_at(system_.model, positions(t), velocities(t));
  }

 private:
  const RandomSystem& system_;
  VecX vdot_;
};

// Joint forces are internal to a tree on a free joint: only weight and loads change its momentum.
TEST(Momentum, ChangesByGravityAndLoadsAlone) {
  for (std::uint64_t seed = 0; seed < kRandomSystems; ++seed) {
    RandomSystem s(seed, {.free_roots = true});
    for (const Joint& joint : s.model.joints()) {
      if (joint.type == JointType::free) s.tau.segment(joint.v, 6).setZero();
    }
    const Motion motion(s, s.tau, s.wrenches);
    const auto both = [&](double t) {
      const Wrench h = momentum(s.model, motion.kinematics(t));
      Vec6 all;
      all << h.torque, h.force;
      return all;
    };
    Wrench load;
    for (std::size_t b = 0; b < s.wrenches.size(); ++b) {
      const RigidInertia& inertia = s.model.bodies()[b].inertia;
      const Pose& X_WB = s.kinematics.X_WB[b];
      load += s.wrenches[b].shifted(-X_WB.p);
      load += Wrench{Vec3::Zero(), inertia.mass * s.model.gravity()}.shifted(-(X_WB * inertia.com));
    }
    Vec6 expected;
    expected << load.torque, load.force;
    EXPECT_LE(relative_error(derivative(both), expected), 1e-10) << seed;  // measured 1e-12
  }
}

/// Power [W] that dampers, friction and stops take at the joints, by their laws.
double joint_losses(const RandomSystem& s) {
  double sum = 0;
  for (const Joint& joint : s.model.joints()) {
    for (int k = 0; k < joint.nv; ++k) {
      const DofLaw& law = s.model.laws()[static_cast<std::size_t>(joint.v + k)];
      const double v = s.v[joint.v + k];
      sum += law.damping * v * v + law.friction * std::tanh(v / law.friction_speed) * v;
      if (!has_plain_coordinates(joint.type)) continue;
      const double q = s.q[joint.q + k];
      const double depth = std::max(law.lower - q, q - law.upper);
      if (depth <= 0) continue;
      // The damper acts as far as it does not pull; what it does beyond that stays undone.
      const double into = q < law.lower ? -v : v;
      const double damper = std::max(law.stop_damping * into, -law.stop_stiffness * depth);
      sum += damper * into;
    }
  }
  return sum;
}

/// Distance of an element's ends and its rate, by differences of positions.
std::pair<double, double> length_and_rate(const RandomSystem& s, const BodyPoint& a,
                                          const BodyPoint& b) {
  const auto length = [&](double t) {
    const Kinematics k = kinematics_at(s.model, advanced(s.model, s.q, s.v, t), s.v);
    return (position_of(k, a) - position_of(k, b)).norm();
  };
  return {length(0), derivative(length)};
}

/// Power [W] that dampers of springs and tethers take, and that winches take by paying out.
double element_losses(const RandomSystem& s) {
  double sum = 0;
  for (const SpringDamper& spring : s.model.springs()) {
    const auto [length, rate] = length_and_rate(s, spring.a, spring.b);
    sum += spring.damping * rate * rate;
  }
  for (const Tether& tether : s.model.tethers()) {
    const auto [length, rate] = length_and_rate(s, tether.a, tether.b);
    const double stretch = length - (tether.length + tether.rate * kTime);
    const double stretch_rate = rate - tether.rate;
    if (stretch <= 0) continue;
    const double elastic = tether.stiffness * stretch;
    const double damper = std::max(tether.damping * stretch_rate, -elastic);
    sum += damper * stretch_rate + (elastic + damper) * tether.rate;
  }
  return sum;
}

TEST(Energy, ChangesByAppliedPowerLessLosses) {
  int tested = 0;
  for (std::uint64_t seed = 0; seed < kRandomSystems; ++seed) {
    const RandomSystem s(seed, {.passive_laws = true, .force_elements = true});
    if (!is_smooth(s, kTime)) continue;
    ++tested;
    double input = s.tau.dot(s.v);
    for (std::size_t b = 0; b < s.wrenches.size(); ++b) {
      const Vec3& origin = s.kinematics.X_WB[b].p;
      input += power(s.wrenches[b], twist_at(s.model, s.kinematics, static_cast<int>(b), origin));
    }
    VecX tau = s.tau;
    std::vector<Wrench> wrenches = s.wrenches;
    add_passive_joint_forces(s.model, s.q.data(), s.v.data(), tau.data());
    add_element_wrenches(s.model, s.kinematics, kTime, wrenches);
    const Motion motion(s, tau, wrenches);
    const auto energy = [&](double t) {
      const VecX q = motion.positions(t), v = motion.velocities(t);
      const Kinematics k = motion.kinematics(t);
      return kinetic_energy(s.model, k, v.data()) +
             potential_energy(s.model, k, q.data(), kTime + t);
    };
    const double losses = joint_losses(s) + element_losses(s);
    const double scale = std::abs(input) + losses + std::abs(energy(0));
    EXPECT_LE(std::abs(derivative(energy) - (input - losses)) / scale, 1e-10)
        << seed;  // measured 3e-13
  }
  EXPECT_GE(tested, 100);
}

}  // namespace
}  // namespace grouser::internal
