#include "multibody/loops.h"

#include <cmath>

#include <gtest/gtest.h>

#include "math/finite_difference.h"
#include "multibody/test_models.h"

namespace grouser::internal {
namespace {

/// One slider along x (velocity 0) and one along y (velocity 1), with the given loop.
Model two_sliders(const Loop& loop) {
  ModelSpec spec = one_body({.type = JointType::prismatic, .axis = Vec3::UnitX()},
                            {1, Vec3::Zero(), Mat3::Identity()});
  spec.bodies.push_back(spec.bodies[0]);
  spec.bodies[1].name = "other";
  spec.bodies[1].joint.axis = Vec3::UnitY();
  spec.loops = {loop};
  return Model(spec);
}

// Sliders at (3, 0, 0) and (0, 4, 0), moving at 1 and 2.
class TwoSliders : public testing::Test {
 protected:
  LoopEquations equations(const Loop& loop) const {
    return equations_at(two_sliders(loop), Eigen::Vector2d(3, 4), Eigen::Vector2d(1, 2));
  }
  const BodyPoint a_{.body = 0}, b_{.body = 1};
};

TEST_F(TwoSliders, Ball) {
  const LoopEquations loops = equations({"", BallLoop{a_, b_}});
  EXPECT_NEAR((loops.residual - Vec3(3, -4, 0)).norm(), 0, 1e-14);  // measured 0
  MatX J(2, 3);
  J << 1, 0, 0, 0, -1, 0;
  EXPECT_NEAR((loops.J - J).norm(), 0, 1e-14);  // measured 0
  EXPECT_EQ(loops.bias, VecX::Zero(3));
}

TEST_F(TwoSliders, Distance) {
  const LoopEquations loops = equations({"", DistanceLoop{a_, b_, 4}});
  EXPECT_NEAR(loops.residual[0], 1, 1e-14);                             // measured 0
  EXPECT_NEAR((loops.J - Eigen::Vector2d(0.6, 0.8)).norm(), 0, 1e-14);  // measured 0
  // d²/dt² of √(x² + y²) at constant rates: (|v|² - (n·v)²)/|r| = (5 - 2.2²)/5.
  EXPECT_NEAR(loops.bias[0], 0.16 / 5, 1e-14);  // measured 2e-17
}

TEST_F(TwoSliders, HingeOfBodiesThatDoNotTurn) {
  const LoopEquations loops = equations({"", HingeLoop{a_, b_, Vec3::UnitX(), Vec3(0.6, 0, 0.8)}});
  EXPECT_NEAR((loops.residual.head(3) - Vec3(3, -4, 0)).norm(), 0, 1e-14);  // measured 0
  EXPECT_NEAR(loops.residual.tail(2).norm(), 0.8,
              1e-14);  // sine of the angle between the axes; measured 0
  EXPECT_EQ(loops.J.rightCols(2), MatX::Zero(2, 2));
}

TEST_F(TwoSliders, Coupling) {
  const LoopEquations loops = equations({"", CouplingLoop{{{0, 2}, {1, -3}}, 1}});
  EXPECT_EQ(loops.residual[0], 2 * 3 - 3 * 4 - 1);
  EXPECT_EQ(loops.J, MatX(Eigen::Vector2d(2, -3)));
  EXPECT_EQ(loops.bias[0], 0);
}

// Each kind of loop is in each of the random systems.
TEST(LoopEquations, GradientEqualsDifferencesOfTheResidual) {
  for (std::uint64_t seed = 0; seed < kRandomSystems; ++seed) {
    const RandomSystem s(seed, {.loops = true});
    const int n = s.model.velocity_size();
    MatX expected(n, s.model.loop_row_count());
    for (int k = 0; k < n; ++k) {
      const auto residual = [&](double t) {
        return equations_at(s.model, advanced(s.model, s.q, VecX::Unit(n, k), t), s.v).residual;
      };
      expected.row(k) = derivative(residual).transpose();
    }
    EXPECT_LE(relative_error(equations_at(s.model, s.q, s.v).J, expected), 1e-10)
        << seed;  // measured 5e-13
  }
}

TEST(LoopEquations, BiasEqualsDifferencesOfTheRate) {
  for (std::uint64_t seed = 0; seed < kRandomSystems; ++seed) {
    const RandomSystem s(seed, {.loops = true});
    const auto rate = [&](double t) -> VecX {
      const VecX q = advanced(s.model, s.q, s.v, t);
      return equations_at(s.model, q, s.v).J.transpose() * s.v;
    };
    EXPECT_LE(relative_error(equations_at(s.model, s.q, s.v).bias, derivative(rate), 1), 1e-10)
        << seed;  // measured 6e-13
  }
}

TEST(InverseMassTimes, MultipliedByTheMassGivesTheGradientBack) {
  for (std::uint64_t seed = 0; seed < kRandomSystems; ++seed) {
    const RandomSystem s(seed, {.loops = true});
    const MatX J = equations_at(s.model, s.q, s.v).J;
    MassMatrix M(s.model);
    crba(s.model, s.kinematics, M);
    const MatX dense = M.dense();
    M.factorize(s.model);
    MatX product(J.rows(), J.cols());
    inverse_mass_times(M, J, product);
    EXPECT_LE(relative_error(dense * product, J), 1e-10) << seed;  // measured 2e-14
  }
}

}  // namespace
}  // namespace grouser::internal
