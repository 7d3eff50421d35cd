#include "multibody/rnea.h"

#include <cmath>

#include <gtest/gtest.h>

#include "math/finite_difference.h"
#include "multibody/balance.h"
#include "multibody/test_models.h"

namespace grouser::internal {
namespace {

VecX inverse_dynamics(const Model& model, const Kinematics& kinematics, const VecX& vdot,
                      std::span<const Wrench> wrenches = {}) {
  RneaScratch scratch(model);
  VecX tau(model.velocity_size());
  rnea(model, kinematics, vdot.data(), wrenches, scratch, tau.data());
  return tau;
}

TEST(Rnea, HoldsARodLevel) {
  // 2 kg, 3 m, turned by a quarter about y so that it points along -x: its weight pulls it back.
  ModelSpec spec = one_body({.type = JointType::revolute, .axis = Vec3::UnitY()}, rod(2, 3));
  spec.gravity = Vec3(0, 0, -10);
  const Model model(spec);
  const VecX q = VecX::Constant(1, std::acos(0.0));
  const Kinematics k = kinematics_at(model, q, VecX::Zero(1));
  EXPECT_NEAR(inverse_dynamics(model, k, VecX::Zero(1))[0], 2 * 10 * 1.5, 1e-13);  // measured 0
}

TEST(Rnea, AcceleratesARodAndItsRotor) {
  ModelSpec spec = one_body({.type = JointType::revolute, .axis = Vec3::UnitY()}, rod(2, 3));
  spec.gravity.setZero();
  spec.bodies[0].joint.laws = {{.armature = 0.5}};
  const Model model(spec);
  const Kinematics k = kinematics_at(model, VecX::Ones(1), VecX::Ones(1));
  // m L²/3 + armature, times 4 rad/s².
  EXPECT_NEAR(inverse_dynamics(model, k, VecX::Constant(1, 4))[0], 6.5 * 4, 1e-13);  // measured 0
}

TEST(Rnea, LiftsAFreeBodyAgainstItsWeightAndLoad) {
  ModelSpec spec = one_body({.type = JointType::free}, {2, Vec3::Zero(), Mat3::Identity()});
  spec.gravity = Vec3(0, 0, -10);
  const Model model(spec);
  const Kinematics k = kinematics_at(model, model.neutral_positions(), VecX::Zero(6));
  VecX vdot(6);
  vdot << 0, 0, 0, 0, 0, 3;
  const Wrench load{{0, 7, 0}, {5, 0, 0}};
  VecX expected(6);
  expected << 0, -7, 0, -5, 0, 2 * (3 + 10);
  EXPECT_NEAR((inverse_dynamics(model, k, vdot, {&load, 1}) - expected).norm(), 0,
              1e-14);  // measured 0
}

TEST(Rnea, CentripetalForceOfABodyOffItsOrigin) {
  // The centre of mass is 2 m along x from the origin, spinning about z at 3 rad/s: the force
  // through the origin that holds it on its circle is m ω² r towards the origin.
  ModelSpec spec = one_body({.type = JointType::free}, {4, {2, 0, 0}, Mat3::Identity()});
  spec.gravity.setZero();
  const Model model(spec);
  VecX v(6);
  v << 0, 0, 3, 0, 0, 0;
  const Kinematics k = kinematics_at(model, model.neutral_positions(), v);
  VecX expected(6);
  expected << 0, 0, 0, -4 * 9 * 2, 0, 0;
  EXPECT_NEAR((inverse_dynamics(model, k, VecX::Zero(6)) - expected).norm(), 0,
              1e-14);  // measured 0
}

// At rest the joints must hold what gravity takes: the gradient of the potential energy.
TEST(Rnea, StaticEffortIsTheGradientOfThePotential) {
  for (std::uint64_t seed = 0; seed < kRandomSystems; ++seed) {
    const RandomSystem s(seed);
    const int n = s.model.velocity_size();
    const Kinematics still = kinematics_at(s.model, s.q, VecX::Zero(n));
    VecX gradient(n);
    for (int i = 0; i < n; ++i) {
      gradient[i] = derivative(
          [&](double t) {
            const VecX q = advanced(s.model, s.q, VecX::Unit(n, i), t);
            return potential_energy(s.model, kinematics_at(s.model, q, s.v), q.data(), 0);
          },
          2e-2);
    }
    EXPECT_LE(relative_error(inverse_dynamics(s.model, still, VecX::Zero(n)), gradient), 1e-10)
        << seed;  // measured 9e-14
  }
}

TEST(Rnea, WrenchesActAsTheirGeneralisedForces) {
  for (std::uint64_t seed = 0; seed < kRandomSystems; ++seed) {
    const RandomSystem s(seed);
    VecX expected = inverse_dynamics(s.model, s.kinematics, s.vdot);
    for (int k = 0; k < s.model.velocity_size(); ++k) {
      const VecX unit = VecX::Unit(s.model.velocity_size(), k);
      const Kinematics moving = kinematics_at(s.model, s.q, unit);
      for (std::size_t b = 0; b < s.wrenches.size(); ++b) {
        const Vec3& origin = moving.X_WB[b].p;
        expected[k] -= power(s.wrenches[b], twist_at(s.model, moving, static_cast<int>(b), origin));
      }
    }
    const VecX tau = inverse_dynamics(s.model, s.kinematics, s.vdot, s.wrenches);
    EXPECT_LE(relative_error(tau, expected), 1e-10) << seed;  // measured 7e-16
  }
}

}  // namespace
}  // namespace grouser::internal
