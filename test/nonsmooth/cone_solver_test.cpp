#include "nonsmooth/cone_solver.h"

#include <gtest/gtest.h>

namespace grouser {
namespace {

/// One contact of a point mass: W = I / m.
ConeProblem point_mass(double mass, const Vec3& velocity, double mu) {
  ConeProblem problem;
  problem.add_cone(mu);
  problem.W.set_dense(3);
  problem.W.dense().diagonal().setConstant(1 / mass);
  problem.q = {velocity[0], velocity[1], velocity[2]};
  return problem;
}

Vec3 solve_point(const ConeProblem& problem, ConeMethod method) {
  ConeSolver solver;
  std::vector<double> r(3, 0.0);
  const ConeReport report = solver.solve(problem, {.method = method}, r);
  EXPECT_TRUE(report.solved) << to_string(method);
  EXPECT_LE(cone_residual(problem, r), 1e-8);
  return {r[0], r[1], r[2]};
}

class EachMethod : public testing::TestWithParam<ConeMethod> {};

TEST_P(EachMethod, PointThatPartsGetsNoImpulse) {
  EXPECT_LE(solve_point(point_mass(2, {0.5, 1, 0}, 0.3), GetParam()).norm(), 1e-7);
}

TEST_P(EachMethod, PointThatSticksIsStopped) {
  const Vec3 r = solve_point(point_mass(2, {-1, 0.1, 0.2}, 0.3), GetParam());
  EXPECT_LE((r - Vec3(2, -0.2, -0.4)).norm(), 1e-7);
}

TEST_P(EachMethod, PointThatSlidesIsBrakedByFriction) {
  // |r_T| = μ r_N against the velocity (3, 4) / 5.
  const Vec3 r = solve_point(point_mass(2, {-1, 3, 4}, 0.3), GetParam());
  EXPECT_LE((r - Vec3(2, -0.36, -0.48)).norm(), 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Methods, EachMethod,
                         testing::Values(ConeMethod::automatic, ConeMethod::newton,
                                         ConeMethod::proximal, ConeMethod::smoothing,
                                         ConeMethod::admm, ConeMethod::nsgs),
                         [](const auto& info) { return to_string(info.param); });

}  // namespace
}  // namespace grouser
