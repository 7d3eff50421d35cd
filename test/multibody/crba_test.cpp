#include "multibody/crba.h"

#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include "multibody/balance.h"
#include "multibody/rnea.h"
#include "multibody/test_models.h"

namespace grouser::internal {
namespace {

MassMatrix mass_matrix(const Model& model, const Kinematics& kinematics) {
  MassMatrix M(model);
  crba(model, kinematics, M);
  return M;
}

VecX inverse_dynamics(const RandomSystem& s, const VecX& vdot) {
  RneaScratch scratch(s.model);
  VecX tau(s.model.velocity_size());
  rnea(s.model, s.kinematics, vdot.data(), {}, scratch, tau.data());
  return tau;
}

// Two rods of 1 kg and 1 m with relative angles. With lc = 1/2, I = 1/12 about the centre:
//   M₁₁ = 2 I + lc² + (1 + lc² + 2 lc cos q₂),  M₁₂ = I + lc² + lc cos q₂,  M₂₂ = I + lc².
TEST(MassMatrix, OfTwoLinks) {
  ModelSpec spec = pendulum_chain(2);
  for (BodySpec& body : spec.bodies) body.inertia = rod(1, 1);
  const Model model(spec);
  const VecX q = Eigen::Vector2d(0.4, 1.1);
  const MassMatrix M = mass_matrix(model, kinematics_at(model, q, VecX::Zero(2)));
  const double c = std::cos(1.1);
  EXPECT_NEAR(M(0, 0), 5.0 / 3 + c, 1e-14);      // measured 5e-16
  EXPECT_NEAR(M(0, 1), 1.0 / 3 + c / 2, 1e-14);  // measured 2e-16
  EXPECT_NEAR(M(1, 0), 1.0 / 3 + c / 2, 1e-14);  // measured 2e-16
  EXPECT_NEAR(M(1, 1), 1.0 / 3, 1e-14);          // measured 6e-17
}

TEST(MassMatrix, KnowsItsSparsity) {
  const Model model(rover_tree());
  const MassMatrix M = mass_matrix(
      model, kinematics_at(model, model.neutral_positions(), VecX::Zero(model.velocity_size())));
  EXPECT_EQ(M.size(), 21);
  const int left = model.joints()[static_cast<std::size_t>(model.find_body("wheel_front_left"))].v;
  const int right =
      model.joints()[static_cast<std::size_t>(model.find_body("wheel_front_right"))].v;
  EXPECT_EQ(M(left, right), 0);             // on different branches
  EXPECT_EQ(M.ancestors(left).size(), 9u);  // six of the trunk, bogie, steering, wheel
  EXPECT_EQ(M.ancestors(left).back(), left);
  EXPECT_EQ(M.ancestors(left).front(), 0);
  EXPECT_NEAR(M(3, 3), 64.6, 1e-12);  // the whole rover moves along x; measured 2e-14
}

TEST(MassMatrix, TimesAccelerationPlusBiasIsInverseDynamics) {
  for (std::uint64_t seed = 0; seed < kRandomSystems; ++seed) {
    const RandomSystem s(seed);
    const VecX bias = inverse_dynamics(s, VecX::Zero(s.model.velocity_size()));
    const VecX tau = mass_matrix(s.model, s.kinematics).dense() * s.vdot + bias;
    EXPECT_LE(relative_error(tau, inverse_dynamics(s, s.vdot)), 1e-10) << seed;  // measured 2e-15
  }
}

TEST(MassMatrix, GivesTheKineticEnergy) {
  for (std::uint64_t seed = 0; seed < kRandomSystems; ++seed) {
    const RandomSystem s(seed);
    const double energy = 0.5 * s.v.dot(mass_matrix(s.model, s.kinematics).dense() * s.v);
    const double expected = kinetic_energy(s.model, s.kinematics, s.v.data());
    EXPECT_LE(std::abs(energy - expected) / expected, 1e-10) << seed;  // measured 4e-15
  }
}

TEST(MassMatrix, SolvesAsADenseFactorDoes) {
  for (std::uint64_t seed = 0; seed < kRandomSystems; ++seed) {
    const RandomSystem s(seed);
    MassMatrix M = mass_matrix(s.model, s.kinematics);
    const MatX dense = M.dense();
    M.factorize(s.model);
    VecX x = s.tau;
    M.solve(x.data());
    EXPECT_LE(relative_error(x, dense.llt().solve(s.tau)), 1e-10) << seed;  // measured 3e-14
    // A sparse right-hand side takes the short cuts.
    VecX unit = VecX::Unit(s.model.velocity_size(), s.model.velocity_size() / 2);
    const VecX expected = dense.llt().solve(unit);
    M.solve(unit.data());
    EXPECT_LE(relative_error(unit, expected), 1e-10) << seed;  // measured 3e-14
  }
}

TEST(MassMatrix, LeavesPrescribedVelocitiesOut) {
  for (std::uint64_t seed = 0; seed < kRandomSystems; ++seed) {
    const RandomSystem s(seed, {.prescribed = true});
    MassMatrix M = mass_matrix(s.model, s.kinematics);
    std::vector<int> free;
    for (int i = 0; i < s.model.velocity_size(); ++i) {
      if (!s.model.prescribed()[static_cast<std::size_t>(i)]) free.push_back(i);
    }
    const MatX reduced = M.dense()(free, free);
    VecX expected = VecX::Zero(s.model.velocity_size());
    const VecX tau = s.tau(free);
    expected(free) = reduced.llt().solve(tau).eval();
    M.factorize(s.model);
    VecX x = s.tau;
    M.solve(x.data());
    EXPECT_LE(relative_error(x, expected), 1e-10) << seed;  // measured 3e-14
  }
}

TEST(MassMatrix, FindsVelocitiesThatMoveNothing) {
  const Model model(pendulum_chain(3));
  Kinematics kinematics = kinematics_at(model, Vec3(0.1, 0.2, 0.3), VecX::Zero(3));
  EXPECT_TRUE(mass_matrix(model, kinematics).massless_dofs(model).empty());
  kinematics.I[2] = {};
  EXPECT_EQ(mass_matrix(model, kinematics).massless_dofs(model), (std::vector<int>{2}));
}

}  // namespace
}  // namespace grouser::internal
