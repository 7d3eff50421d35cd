// project_onto_loops() of forward_dynamics.h.
#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/QR>

#include "multibody/forward_dynamics.h"
#include "multibody/test_models.h"

namespace grouser::internal {
namespace {

constexpr double kTolerance = 1e-13;

TEST(ProjectOntoLoops, BringsAPerturbedStateBack) {
  for (std::uint64_t seed = 0; seed < kRandomSystems; ++seed) {
    ClosedSystem s(seed);
    const int n = s.model.velocity_size();
    VecX v = random_vector(n, s.rng);
    VecX q = advanced(s.model, s.q, random_vector(n, s.rng), 1e-3);
    DynamicsScratch scratch(s.model);
    const ProjectionReport report =
        project_onto_loops(s.model, kTolerance, scratch, q.data(), v.data());
    const LoopEquations loops = equations_at(s.model, q, v);
    EXPECT_LE(report.after, kTolerance) << seed;  // measured 1e-13: it stops there
    EXPECT_EQ(report.after, loops.residual.cwiseAbs().maxCoeff());
    EXPECT_GT(report.before, 1e-6);
    EXPECT_LE(report.iterations, 6) << seed;
    EXPECT_LE((loops.J.transpose() * v).norm(), 1e-11) << seed;  // measured 9e-13
  }
}

TEST(ProjectOntoLoops, LeavesTheKinematicsOfTheNewState) {
  ClosedSystem s(1);
  const int n = s.model.velocity_size();
  VecX v = random_vector(n, s.rng), q = advanced(s.model, s.q, random_vector(n, s.rng), 1e-2);
  DynamicsScratch scratch(s.model);
  project_onto_loops(s.model, kTolerance, scratch, q.data(), v.data());
  const Kinematics expected = kinematics_at(s.model, q, v);
  for (std::size_t b = 0; b < expected.V.size(); ++b) {
    EXPECT_EQ(scratch.kinematics.X_WB[b].p, expected.X_WB[b].p);
    EXPECT_EQ(scratch.kinematics.V[b].linear(), expected.V[b].linear());
  }
}

TEST(ProjectOntoLoops, DoesNothingWithinTheTolerance) {
  ClosedSystem s(2);
  VecX v = VecX::Zero(s.model.velocity_size());
  const VecX q = s.q;
  DynamicsScratch scratch(s.model);
  const ProjectionReport report = project_onto_loops(s.model, 1e-9, scratch, s.q.data(), v.data());
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(report.before, report.after);
  EXPECT_EQ(s.q, q);
  EXPECT_EQ(v, VecX::Zero(s.model.velocity_size()));
}

TEST(ProjectOntoLoops, KeepsPrescribedCoordinates) {
  int tested = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    ClosedSystem s(seed, {.prescribed = true});
    const int n = s.model.velocity_size();
    VecX v = random_vector(n, s.rng);
    VecX q = advanced(s.model, s.q, random_vector(n, s.rng), 1e-3);
    const VecX q_before = q, v_before = v;
    DynamicsScratch scratch(s.model);
    project_onto_loops(s.model, kTolerance, scratch, q.data(), v.data());
    for (int i = 0; i < n; ++i) {
      if (!s.model.prescribed()[static_cast<std::size_t>(i)]) continue;
      EXPECT_EQ(q[s.model.position_of_dof(i)], q_before[s.model.position_of_dof(i)]);
      EXPECT_EQ(v[i], v_before[i]);
      ++tested;
    }
  }
  EXPECT_GE(tested, 50);
}

// The shortest way in the metric of M: M Δv is a combination of the loop gradients.
TEST(ProjectOntoLoops, TakesTheShortestWayInTheMetricOfTheMass) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    ClosedSystem s(seed);
    const int n = s.model.velocity_size();
    VecX v = random_vector(n, s.rng);
    const VecX v_before = v;
    DynamicsScratch scratch(s.model);
    project_onto_loops(s.model, 1e-12, scratch, s.q.data(), v.data());
    const LoopEquations loops = equations_at(s.model, s.q, v);
    MassMatrix M(s.model);
    crba(s.model, scratch.kinematics, M);
    const VecX impulse = M.dense() * (v - v_before);
    const VecX share = loops.J.completeOrthogonalDecomposition().solve(impulse);
    EXPECT_LE(relative_error(loops.J * share, impulse), 1e-10) << seed;  // measured 3e-14
  }
}

TEST(ProjectOntoLoops, WithoutLoopsReportsNothing) {
  const Model model(pendulum_chain(1));
  DynamicsScratch scratch(model);
  double q = 1, v = 2;
  const ProjectionReport report = project_onto_loops(model, kTolerance, scratch, &q, &v);
  EXPECT_EQ(report.before, 0);
  EXPECT_EQ(report.iterations, 0);
}

// A rod between two points 3 m apart cannot be 1 m long: the report says what is left.
TEST(ProjectOntoLoops, ReportsLoopsThatCannotClose) {
  ModelSpec spec = one_body({.type = JointType::prismatic, .axis = Vec3::UnitX()},
                            {1, Vec3::Zero(), Mat3::Identity()});
  spec.loops = {{"rod", DistanceLoop{{.body = 0}, {.body = kWorld, .p_B = {0, 3, 0}}, 1}}};
  const Model model(spec);
  DynamicsScratch scratch(model);
  double q = 0.5, v = 0;
  const ProjectionReport report = project_onto_loops(model, kTolerance, scratch, &q, &v);
  EXPECT_GE(report.after, 2);
  EXPECT_TRUE(std::isfinite(q));
}

}  // namespace
}  // namespace grouser::internal
