#include "multibody/forward_dynamics.h"

#include <cmath>
#include <utility>

#include <gtest/gtest.h>
#include <Eigen/LU>
#include <Eigen/SVD>

#include "core/parallel.h"
#include "multibody/rnea.h"
#include "multibody/test_models.h"
#include "support/allocation_count.h"

namespace grouser::internal {
namespace {

VecX accelerations(const RandomSystem& s, DynamicsScratch& scratch) {
  VecX vdot = s.vdot;  // holds the prescribed ones
  forward_kinematics(s.model, s.q, s.v, scratch.kinematics);
  forward_dynamics(s.model, s.q.data(), s.v.data(), s.tau.data(), s.wrenches, scratch, vdot.data());
  return vdot;
}

TEST(ForwardDynamics, WithoutLoopsIsTheArticulatedBodyAlgorithm) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const RandomSystem s(seed, {.prescribed = true});
    DynamicsScratch scratch(s.model);
    AbaScratch aba_scratch(s.model);
    VecX expected = s.vdot;
    aba(s.model, s.kinematics, s.tau.data(), s.wrenches, aba_scratch, expected.data());
    EXPECT_EQ(accelerations(s, scratch), expected) << seed;
  }
}

/// Accelerations and loop forces from one dense system,
///   M a - J λ = τ - h,  Jᵀ a = -(bias + 2 α Jᵀ v + α² φ),
/// where prescribed velocities have a = what is asked for in place of their first equation.
VecX dense_solution(const RandomSystem& s) {
  const int n = s.model.velocity_size(), rows = s.model.loop_row_count();
  MassMatrix M(s.model);
  crba(s.model, s.kinematics, M);
  LoopEquations loops(s.model);
  evaluate_loops(s.model, s.kinematics, s.q.data(), loops);
  RneaScratch scratch(s.model);
  VecX bias(n);
  rnea(s.model, s.kinematics, VecX(VecX::Zero(n)).data(), s.wrenches, scratch, bias.data());
  MatX A = MatX::Zero(n + rows, n + rows);
  VecX b(n + rows);
  A << M.dense(), -loops.J, loops.J.transpose(), MatX::Zero(rows, rows);
  constexpr double kRate = kLoopStabilization;
  b << s.tau - bias,
      -(loops.bias + 2 * kRate * loops.J.transpose() * s.v + kRate * kRate * loops.residual);
  for (int i = 0; i < n; ++i) {
    if (!s.model.prescribed()[static_cast<std::size_t>(i)]) continue;
    A.row(i).setZero();
    A(i, i) = 1;
    b[i] = s.vdot[i];
  }
  return A.fullPivLu().solve(b);
}

/// Smallest over largest singular value of the loop gradients of the free velocities: 0 if some
/// equations depend on others.
double independence(const RandomSystem& s) {
  LoopEquations loops(s.model);
  evaluate_loops(s.model, s.kinematics, s.q.data(), loops);
  for (int i = 0; i < s.model.velocity_size(); ++i) {
    if (s.model.prescribed()[static_cast<std::size_t>(i)]) loops.J.row(i).setZero();
  }
  if (loops.J.rows() < loops.J.cols()) return 0;
  const VecX singular = loops.J.jacobiSvd().singularValues();
  return singular[singular.size() - 1] / singular[0];
}

void expect_dense_solution(bool prescribed) {
  int tested = 0;
  for (std::uint64_t seed = 0; seed < kRandomSystems; ++seed) {
    const RandomSystem s(seed, {.prescribed = prescribed, .loops = true});
    if (independence(s) < 1e-3) continue;  // as good as contradictory: the loops are open
    ++tested;
    DynamicsScratch scratch(s.model);
    const VecX vdot = accelerations(s, scratch);
    const VecX expected = dense_solution(s);
    const int n = s.model.velocity_size();
    EXPECT_LE(relative_error(vdot, expected.head(n)), 1e-10) << seed;  // measured 2e-11
    EXPECT_LE(relative_error(scratch.multipliers, expected.tail(expected.size() - n)), 1e-10)
        << seed;  // measured 2e-11
    for (int i = 0; i < n; ++i) {
      if (s.model.prescribed()[static_cast<std::size_t>(i)]) {
        EXPECT_EQ(vdot[i], s.vdot[i]);
      }
    }
  }
  EXPECT_GE(tested, 50);
}

TEST(ForwardDynamics, WithLoopsSolvesTheWholeSystem) { expect_dense_solution(false); }

TEST(ForwardDynamics, WithLoopsAndPrescribedMotionSolvesTheWholeSystem) {
  expect_dense_solution(true);
}

/// Accelerations from rest, and the rank of the loop equations.
std::pair<VecX, int> accelerations_and_rank(const Model& model, const VecX& q, const VecX& tau) {
  const VecX still = VecX::Zero(model.velocity_size());
  DynamicsScratch scratch(model);
  VecX vdot = still;
  forward_kinematics(model, q, still, scratch.kinematics);
  forward_dynamics(model, q.data(), still.data(), tau.data(), {}, scratch, vdot.data());
  return {vdot, scratch.delassus_factor.rank()};
}

TEST(ForwardDynamics, LoopsGivenTwiceChangeNothing) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    ClosedSystem s(seed);
    const VecX tau = random_vector(s.model.velocity_size(), s.rng, 5);
    ModelSpec spec = s.spec;
    for (const Loop& loop : s.spec.loops) spec.loops.push_back({loop.name + "_again", loop.law});
    const auto [once, rank_once] = accelerations_and_rank(s.model, s.q, tau);
    const auto [twice, rank_twice] = accelerations_and_rank(Model(spec), s.q, tau);
    EXPECT_EQ(rank_twice, rank_once) << seed;
    EXPECT_LE(relative_error(twice, once), 1e-10) << seed;  // measured 4e-13
  }
}

TEST(ForwardDynamics, LoopForcesDoNoWork) {
  for (std::uint64_t seed = 0; seed < kRandomSystems; ++seed) {
    ClosedSystem s(seed);
    const int n = s.model.velocity_size();
    DynamicsScratch scratch(s.model);
    VecX v = random_vector(n, s.rng), vdot = VecX::Zero(n);
    const VecX tau = random_vector(n, s.rng);
    project_onto_loops(s.model, 0, scratch, s.q.data(), v.data());
    forward_dynamics(s.model, s.q.data(), v.data(), tau.data(), {}, scratch, vdot.data());
    const VecX loop_forces = scratch.loops.J * scratch.multipliers;
    const double scale = std::max(1.0, loop_forces.norm() * v.norm());
    EXPECT_LE(std::abs(loop_forces.dot(v)) / scale, 1e-11) << seed;  // measured 4e-13
  }
}

TEST(ForwardDynamics, DriftDecaysAsACriticallyDampedOscillator) {
  // Two rotors geared 1:1 with an error of 0.1 rad that grows at 0.3 rad/s.
  ModelSpec spec = one_body({.type = JointType::revolute}, {1, Vec3::Zero(), Mat3::Identity()});
  spec.bodies.push_back(spec.bodies[0]);
  spec.bodies[1].name = "other";
  spec.loops = {{"gear", CouplingLoop{{{0, 1}, {1, -1}}}}};
  const Model model(spec);
  const VecX q = Eigen::Vector2d(0.1, 0), v = Eigen::Vector2d(0.3, 0);
  DynamicsScratch scratch(model);
  VecX vdot = VecX::Zero(2);
  forward_kinematics(model, q, v, scratch.kinematics);
  forward_dynamics(model, q.data(), v.data(), VecX(VecX::Zero(2)).data(), {}, scratch, vdot.data());
  constexpr double kRate = kLoopStabilization;
  EXPECT_NEAR(vdot[0] - vdot[1], -2 * kRate * 0.3 - kRate * kRate * 0.1, 1e-13);  // measured 2e-14
}

// As many rovers as it takes to run in parallel.
TEST(ForwardDynamics, ThreadsDoNotChangeABit) {
  ModelSpec fleet;
  for (int i = 0; i < 100; ++i) {
    ModelSpec rover = rover_tree();
    const int first = static_cast<int>(fleet.bodies.size());
    for (BodySpec& body : rover.bodies) {
      body.name += std::to_string(i);
      body.joint.name += std::to_string(i);
      if (body.parent != kWorld) body.parent += first;
      fleet.bodies.push_back(body);
    }
  }
  const Model model(fleet);
  CounterRng rng(1);
  const VecX q = random_positions(model, rng), v = random_vector(model.velocity_size(), rng);
  const VecX tau = random_vector(model.velocity_size(), rng);
  DynamicsScratch scratch(model);
  forward_kinematics(model, q, v, scratch.kinematics);
  const auto with_threads = [&](int threads) {
    set_thread_count(threads);
    VecX vdot = VecX::Zero(model.velocity_size());
    forward_dynamics(model, q.data(), v.data(), tau.data(), {}, scratch, vdot.data());
    return vdot;
  };
  const VecX serial = with_threads(1);
  for (const int threads : {2, 5, 8}) EXPECT_EQ(with_threads(threads), serial);
  set_thread_count(0);
}

TEST(ForwardDynamics, AllocatesNothing) {
  if (!allocations_are_counted()) GTEST_SKIP() << "this build does not count allocations";
  RandomSystem s(3, {.loops = true});
  DynamicsScratch scratch(s.model);
  VecX vdot = s.vdot;
  const std::uint64_t before = allocation_count();
  forward_kinematics(s.model, s.q, s.v, scratch.kinematics);
  forward_dynamics(s.model, s.q.data(), s.v.data(), s.tau.data(), s.wrenches, scratch, vdot.data());
  const ProjectionReport report =
      project_onto_loops(s.model, 1e-12, scratch, s.q.data(), s.v.data());
  EXPECT_EQ(allocation_count(), before);
  EXPECT_GT(report.iterations, 0);  // it did something
}

}  // namespace
}  // namespace grouser::internal
