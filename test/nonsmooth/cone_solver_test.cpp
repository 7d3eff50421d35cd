#include "nonsmooth/cone_solver.h"

#include <gtest/gtest.h>

#include "core/rng.h"
#include "lab/cone_samples.h"
#include "nonsmooth/local_solve.h"
#include "support/allocation_count.h"

namespace grouser::internal {
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
  EXPECT_TRUE(solver.solve(problem, {.method = method}, r).solved) << to_string(method);
  EXPECT_LE(cone_residual(problem, r), 1e-8);
  return {r[0], r[1], r[2]};
}

class EachMethod : public testing::TestWithParam<ConeMethod> {};

TEST_P(EachMethod, PointThatPartsGetsNoImpulse) {
  EXPECT_LE(solve_point(point_mass(2, {0.5, 1, 0}, 0.3), GetParam()).norm(), 1e-7);
}

TEST_P(EachMethod, SmoothPointThatPartsIsNotHeld) {
  EXPECT_LE(solve_point(point_mass(2, {0.5, 0, 0}, 0), GetParam()).norm(), 1e-7);
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

/// Blocks of these masses on each other, falling with 1 m/s: contact k lies under block k.
ConeProblem tower(const std::vector<double>& masses, double mu, const Vec2& push) {
  ConeProblem problem;
  const int n = static_cast<int>(masses.size());
  problem.W.set_dense(3 * n);
  for (int k = 0; k < n; ++k) {
    problem.add_cone(mu);
    const double own = 1 / masses[static_cast<std::size_t>(k)];
    for (int i = 0; i < 3; ++i) {
      problem.W.dense()(3 * k + i, 3 * k + i) += own;
      if (k + 1 == n) continue;
      problem.W.dense()(3 * k + 3 + i, 3 * k + 3 + i) += own;
      problem.W.dense()(3 * k + i, 3 * k + 3 + i) -= own;
      problem.W.dense()(3 * k + 3 + i, 3 * k + i) -= own;
    }
  }
  problem.q.assign(3 * masses.size(), 0.0);
  problem.q[0] = -1;
  problem.q[1] = push[0];
  problem.q[2] = push[1];
  return problem;
}

TEST_P(EachMethod, TowerOfTwoCarriesItsWeight) {
  const ConeProblem problem = tower({3, 2}, 0.5, {0.3, 0});
  std::vector<double> r(6, 0.0);
  ConeSolver solver;
  ASSERT_TRUE(solver.solve(problem, {.method = GetParam()}, r).solved);
  // Below 5 kg, above 2 kg; 0.3 m/s is less than friction can stop.
  const std::vector<double> expected = {5, -1.5, 0, 2, -0.6, 0};
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(r[k], expected[k], 1e-6) << k;
}

TEST(ConeSolver, HeavyOnLightBlocks) {
  // A million times heavier at the top: the weight goes through all contacts.
  const ConeProblem problem = tower({1, 10, 1e6}, 0.5, {0, 0});
  std::vector<double> r(9, 0.0);
  ConeSolver solver;
  ASSERT_TRUE(solver.solve(problem, {.tolerance = 1e-12}, r).solved);
  EXPECT_NEAR(r[0] / 1000011, 1, 1e-9);  // measured 1e-10
  EXPECT_NEAR(r[6] / 1e6, 1, 1e-9);
}

/// A mass on the ground pushed along x with speed v, and a motor that would stop it with at most `limit`.
ConeProblem braked_mass(double v, double limit) {
  ConeProblem problem;
  problem.add_cone(0.3);
  problem.add_box(-limit, limit);
  problem.W.set_dense(4);
  problem.W.dense().diagonal().setConstant(0.5);  // 2 kg
  problem.W.dense()(1, 3) = problem.W.dense()(3, 1) = 0.5;
  problem.q = {-1, v, 0, v};
  return problem;
}

TEST_P(EachMethod, MotorAtItsLimitAndFriction) {
  const ConeProblem problem = braked_mass(5, 0.5);
  std::vector<double> r(4, 0.0);
  ConeSolver solver;
  ASSERT_TRUE(solver.solve(problem, {.method = GetParam()}, r).solved);
  EXPECT_NEAR(r[0], 2, 1e-6);
  EXPECT_NEAR(r[1], -0.6, 1e-6);
  EXPECT_NEAR(r[3], -0.5, 1e-6);
}

TEST_P(EachMethod, MotorAndFrictionHoldTogether) {
  const ConeProblem problem = braked_mass(0.4, 0.5);
  std::vector<double> r(4, 0.0);
  ConeSolver solver;
  ASSERT_TRUE(solver.solve(problem, {.method = GetParam()}, r).solved);
  // Which of the two does how much is not determined.
  EXPECT_NEAR(r[1] + r[3], -0.8, 1e-6);
  EXPECT_LE(std::abs(r[1]), 0.6 + 1e-6);
  EXPECT_LE(std::abs(r[3]), 0.5 + 1e-6);
}

TEST_P(EachMethod, RodAndStop) {
  // Masses 1 and 2 kg on a line at 3 and 0 m/s, joined by a rod (row 0); the second one may not go forward
  // (row 1: its velocity backwards must not be negative).
  ConeProblem problem;
  problem.add_bilateral();
  problem.add_unilateral();
  problem.W.set_dense(2);
  problem.W.dense() << 1.5, -0.5 * -1, -0.5 * -1, 0.5;
  problem.q = {3, 0};
  std::vector<double> r(2, 0.0);
  ConeSolver solver;
  ASSERT_TRUE(solver.solve(problem, {.method = GetParam()}, r).solved);
  // Both stop: 1.5 r0 + 0.5 r1 = -3 and 0.5 r0 + 0.5 r1 = 0.
  EXPECT_NEAR(r[0], -3, 1e-6);
  EXPECT_NEAR(r[1], 3, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Methods, EachMethod,
                         testing::Values(ConeMethod::automatic, ConeMethod::newton,
                                         ConeMethod::proximal, ConeMethod::interior_point,
                                         ConeMethod::nsgs),
                         [](const auto& info) { return to_string(info.param); });

/// A box of 4 kg on four corners, falling straight.
ConeProblem box_on_corners() {
  ConeProblem problem;
  problem.W.set_dense(12);
  Eigen::Matrix<double, 12, 6> H;
  for (int k = 0; k < 4; ++k) {
    problem.add_cone(0.6);
    const Vec3 arm(k % 2 == 0 ? -0.5 : 0.5, k / 2 == 0 ? -0.5 : 0.5, -0.5);
    Mat3 axes;
    axes << Vec3::UnitZ(), Vec3::UnitX(), Vec3::UnitY();
    H.block<3, 3>(3 * k, 0) = axes.transpose() / std::sqrt(4);
    H.block<3, 3>(3 * k, 3) = -axes.transpose() * skew(arm) / std::sqrt(4.0 / 6);
  }
  problem.W.dense() = H * H.transpose();
  problem.q.assign(12, 0.0);
  for (int k = 0; k < 4; ++k) problem.q[static_cast<std::size_t>(3 * k)] = -1;
  return problem;
}

TEST(ConeSolver, RedundantCornersCarryTheWeightEvenly) {
  const ConeProblem problem = box_on_corners();
  std::vector<double> r(12, 0.0);
  ConeSolver solver;
  ASSERT_TRUE(solver.solve(problem, {}, r).solved);
  // From nothing, what comes out is as even as the problem: 1 N s at each corner.
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(r[3 * k], 1, 1e-7);
}

TEST(ConeSolver, ASplitThatSolvesIsKept) {
  const ConeProblem problem = box_on_corners();
  std::vector<double> r = {1.5, 0, 0, 0.5, 0, 0,
                           0.5, 0, 0, 1.5, 0, 0};  // diagonal corners carry more
  const std::vector<double> given = r;
  ConeSolver solver;
  const ConeReport report = solver.solve(problem, {}, r);
  EXPECT_EQ(report.iterations, 0);
  for (std::size_t k = 0; k < 12; ++k) EXPECT_NEAR(r[k], given[k], 1e-15);
}

/// Signorini's and Coulomb's laws, contact by contact: the largest violation over |q|.
double worst_violation(const ConeProblem& problem, const std::vector<double>& r) {
  double worst = 0, scale = 0;
  for (const double q : problem.q) scale += q * q;
  for (const ConeBlock& block : problem.blocks) {
    Vec3 u, mine;
    for (int k = 0; k < 3; ++k) {
      u[k] = problem.q[static_cast<std::size_t>(block.row + k)];
      for (int j = 0; j < problem.rows(); ++j) {
        u[k] += problem.W(block.row + k, j) * r[static_cast<std::size_t>(j)];
      }
      mine[k] = r[static_cast<std::size_t>(block.row + k)];
    }
    const double lambda =
        (problem.W(block.row, block.row) + problem.W(block.row + 1, block.row + 1) +
         problem.W(block.row + 2, block.row + 2)) /
        3;
    const double normal = mine[0] * lambda, friction = block.mu * normal;  // as velocities
    const Vec2 tangent = mine.tail<2>() * lambda, slip = u.tail<2>();
    const double stick = friction - tangent.norm();
    worst = std::max({worst, -normal, -u[0], std::min(normal, u[0]), -stick,
                      std::min(std::max(stick, 0.0), slip.norm())});
    // Sliding is against friction.
    const double power = tangent.dot(slip) + tangent.norm() * slip.norm();
    worst = std::max(worst, std::min(tangent.norm(), slip.norm()) > 0
                                ? power / std::max(tangent.norm(), slip.norm())
                                : 0);
  }
  return worst / std::sqrt(scale);
}

TEST(ConeSolver, GeneratedProblemsObeyTheLaws) {
  ConeSolver solver;
  int solved = 0, tried = 0;
  for (int i = 0; i < 120; ++i) {
    const ConeProblem problem = make_cone_sample(i).problem;
    if (problem.blocks.size() > 150) continue;
    std::vector<double> r(problem.q.size(), 0.0);
    const ConeReport report = solver.solve(problem, {}, r);
    ++tried;
    solved += report.solved;
    if (!report.solved) continue;
    EXPECT_NEAR(cone_residual(problem, r), report.residual, 1e-10) << i;
    EXPECT_LE(worst_violation(problem, r), 2e-8) << i;  // measured 6.5e-9
  }
  EXPECT_EQ(solved, tried);
}

/// A rover pressed against a step: six wheels of radius 0.15 m, each with two contacts across its width and
/// a limited motor, on one chassis; the front wheels touch floor and edge. Both contacts of a wheel have nearly
/// the same velocity along the axle, and some wheels are about to slide that way: W is nearly singular, and
/// impulses are at the edge of the cone with hardly any sliding.
ConeProblem wedged_rover(std::uint64_t seed) {
  constexpr double kRadius = 0.15, kHalfWidth = 0.05, kStep = 0.1, kToe = 1e-4;
  constexpr double kMass = 60, kInertia = 6, kWheelInertia = 0.05, kWeight = 3.7 * 2e-3;
  constexpr int kFreedoms = 12;  // velocity and angular velocity of the chassis, spin of each wheel
  CounterRng rng(seed);
  ConeProblem problem;
  std::vector<Eigen::Matrix<double, 1, kFreedoms>> rows;
  Eigen::Matrix<double, kFreedoms, 1> velocity = Eigen::Matrix<double, kFreedoms, 1>::Zero();
  velocity[0] = rng.uniform(0, 1e-3);
  velocity[1] = rng.uniform(-1e-5, 1e-5);
  velocity[2] = -kWeight;
  const auto add_contact = [&](const Vec3& point, const Vec3& normal, int wheel, double side) {
    Eigen::Matrix<double, 3, kFreedoms> point_velocity;
    point_velocity.setZero();
    point_velocity.leftCols<3>().setIdentity();
    point_velocity.middleCols<3>(3) = -skew(point);
    const Vec3 axle = Vec3(side * kToe, 1, rng.uniform(-kToe, kToe)).normalized();
    point_velocity.col(6 + wheel) = axle.cross(-kRadius * normal);
    const Vec3 across = (axle - axle.dot(normal) * normal).normalized();
    for (const Vec3& axis : {normal, across, Vec3(normal.cross(across))}) {
      rows.push_back(axis.transpose() * point_velocity);
    }
    problem.add_cone(0.8);
  };
  const double edge_height = kRadius - kStep;  // of the axle above the edge
  const Vec3 edge_normal(-std::sqrt(1 - std::pow(edge_height / kRadius, 2)), 0,
                         edge_height / kRadius);
  for (int wheel = 0; wheel < 6; ++wheel) {
    const Vec3 center(0.6 * (wheel / 2 - 1), wheel % 2 == 0 ? -0.5 : 0.5, -0.3);
    for (const double side : {-1.0, 1.0}) {
      const Vec3 middle = center + side * kHalfWidth * Vec3::UnitY();
      add_contact(middle - kRadius * Vec3::UnitZ(), Vec3::UnitZ(), wheel, side);
      if (wheel >= 4) add_contact(middle - kRadius * edge_normal, edge_normal, wheel, side);
    }
  }
  const int contact_rows = static_cast<int>(rows.size());
  for (int wheel = 0; wheel < 6; ++wheel) {
    rows.push_back(Eigen::Matrix<double, 1, kFreedoms>::Unit(6 + wheel));
    problem.add_box(-0.04, 0.04);
  }
  const int n = static_cast<int>(rows.size());
  MatX H(n, kFreedoms);
  for (int i = 0; i < n; ++i) H.row(i) = rows[static_cast<std::size_t>(i)];
  Eigen::Matrix<double, kFreedoms, 1> masses;
  masses << Vec3::Constant(kMass), Vec3::Constant(kInertia),
      Eigen::Matrix<double, 6, 1>::Constant(kWheelInertia);
  problem.W.set_dense(n);
  problem.W.dense() = H * masses.cwiseInverse().asDiagonal() * H.transpose();
  problem.q.resize(static_cast<std::size_t>(n));
  Eigen::Map<VecX>(problem.q.data(), n) = H * velocity;
  for (int i = contact_rows; i < n; ++i) {
    problem.q[static_cast<std::size_t>(i)] -=
        rng.uniform(0.2, 0.7);  // what the motor wants [rad/s]
  }
  return problem;
}

TEST(ConeSolver, NearlyAllWedgedRoversAreSolved) {
  constexpr int kTried = 100;
  ConeSolver solver;
  int solved = 0, by_interior_point = 0;
  for (int k = 0; k < kTried; ++k) {
    const ConeProblem problem = wedged_rover(static_cast<std::uint64_t>(k));
    std::vector<double> r(problem.q.size(), 0.0);
    const ConeReport report = solver.solve(problem, {.good_enough = 1e-5}, r);
    solved += report.solved;
    by_interior_point += report.solved && report.method() == ConeMethod::interior_point;
    EXPECT_NEAR(cone_residual(problem, r), report.residual, 1e-10) << k;
    EXPECT_LE(report.residual, 2e-6) << k;  // measured 9e-7
  }
  EXPECT_GE(solved, 95);  // measured 96
  EXPECT_GE(by_interior_point,
            45);  // measured 50; Newton's method solves 8, the proximal method the others
}

TEST(ConeSolver, WarmStartTakesFewSteps) {
  ConeSolver solver;
  for (int i = 0; i < 80; i += 8) {  // rovers
    ConeProblem problem = make_cone_sample(i).problem;
    std::vector<double> r(problem.q.size(), 0.0);
    ASSERT_TRUE(solver.solve(problem, {}, r).solved);
    EXPECT_EQ(solver.solve(problem, {}, r).iterations, 0);
    for (double& q : problem.q) q *= 1.001;
    const ConeReport report = solver.solve(problem, {}, r);
    EXPECT_TRUE(report.solved);
    EXPECT_LE(report.iterations, 3) << i;
  }
}

TEST(ConeSolver, SameBitsWhateverWasSolvedBefore) {
  ConeSolver used;
  for (const int i : {5, 7, 0, 3, 45, 7}) {
    const ConeProblem problem = make_cone_sample(i).problem;
    std::vector<double> a(problem.q.size(), 0.0), b = a;
    used.solve(problem, {}, a);
    ConeSolver().solve(problem, {}, b);
    EXPECT_EQ(a, b) << i;
  }
}

TEST(ConeSolver, SecondSolutionAllocatesNothing) {
  ConeSolver solver;
  const ConeProblem rover = make_cone_sample(0).problem, other = make_cone_sample(8).problem;
  std::vector<double> r(rover.q.size(), 0.0);
  solver.solve(rover, {}, r);
  r.assign(rover.q.size(), 0.0);
  const std::uint64_t before = allocation_count();
  solver.solve(other, {}, r);
  EXPECT_EQ(allocation_count(), before);
}

TEST(ConeSolver, WhatHasNoSolutionIsReported) {
  // A row that nothing moves should stand still, but does not.
  ConeProblem problem;
  problem.add_bilateral();
  problem.W.set_dense(1);
  problem.q = {1};
  std::vector<double> r(1, 0.0);
  ConeSolver solver;
  const ConeReport report = solver.solve(problem, {}, r);
  EXPECT_FALSE(report.solved);
  EXPECT_EQ(report.residual, 1);
  EXPECT_EQ(report.tries, 11);  // all that are for few contacts
  EXPECT_TRUE(std::isfinite(r[0]));
}

TEST(ConeSolver, IterationCapIsReported) {
  const ConeProblem problem = make_cone_sample(3).problem;
  std::vector<double> r(problem.q.size(), 0.0);
  ConeSolver solver;
  const ConeReport report =
      solver.solve(problem, {.method = ConeMethod::nsgs, .max_iterations = 10}, r);
  EXPECT_FALSE(report.solved);
  EXPECT_EQ(report.tried[0].iterations, 10);
  EXPECT_NEAR(cone_residual(problem, r), report.residual, 1e-12);
}

TEST(ConeSolver, NothingToSolve) {
  ConeSolver solver;
  EXPECT_TRUE(solver.solve(ConeProblem{}, {}, {}).solved);
}

TEST(LocalSolve, RandomContactsObeyTheLaws) {
  CounterRng rng(11);
  for (int k = 0; k < 2000; ++k) {
    Mat3 root;
    for (int i = 0; i < 9; ++i) root(i) = rng.normal();
    ConeProblem problem;
    problem.add_cone(rng.uniform(0, 1.5));
    problem.W.set_dense(3);
    problem.W.dense() = root * root.transpose() + 0.01 * Mat3::Identity();
    problem.q = {rng.normal(), rng.normal(), rng.normal()};
    const Vec3 r = solve_one_cone(problem.W.dense(), Vec3(problem.q.data()), problem.blocks[0].mu);
    EXPECT_LE(cone_residual(problem, std::span(r.data(), 3)), 1e-12);  // measured 5e-14
  }
}

}  // namespace
}  // namespace grouser::internal
