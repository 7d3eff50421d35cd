#include "nonsmooth/velocity_rows.h"

#include <gtest/gtest.h>
#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>

#include "multibody/jacobian.h"
#include "multibody/test_models.h"

namespace grouser::internal {
namespace {

/// Contacts between any bodies and rows of joints, on a random mechanism; H built column by column.
struct RandomRows {
  explicit RandomRows(std::uint64_t seed, const RandomTreeOptions& options)
      : system(seed, options), factor(system.model), loops(system.model), rows(system.model) {
    const Model& model = system.model;
    crba(model, system.kinematics, factor);
    M = factor.dense();
    factor.factorize(model);
    evaluate_loops(model, system.kinematics, system.q.data(), loops);
    rows.begin(system.kinematics, factor, loops);
    H = MatX::Zero(0, model.velocity_size());
    for (int c = 0; c < 6; ++c) add_contact();
    for (int c = 0; c < 3; ++c) add_load();
    for (int dof = 0; dof < model.velocity_size(); dof += 3) {
      rows.add_dof(dof, -1);
      append(MatX(-VecX::Unit(model.velocity_size(), dof).transpose()));
    }
  }

  void add_contact() {
    const Model& model = system.model;
    const int a =
        static_cast<int>(system.rng.index(static_cast<std::uint64_t>(model.body_count())));
    int b =
        static_cast<int>(system.rng.index(static_cast<std::uint64_t>(model.body_count()) + 1)) - 1;
    const Vec3 p = random_vec3(system.rng), p_b = random_vec3(system.rng);
    const ContactAxes axes = contact_axes(random_vec3(system.rng).normalized());
    rows.add_contact(a, b, p, p_b, axes);
    MatX J = MatX::Zero(6, model.velocity_size()), J_b = J;
    point_jacobian(model, system.kinematics, a, p, J);
    if (b != kWorld) point_jacobian(model, system.kinematics, b, p_b, J_b);
    MatX R(3, 3);
    R << axes.normal.transpose(), axes.first.transpose(), axes.second.transpose();
    append(R * (J - J_b).bottomRows(3));
    rows.add_rolling(a, b, axes);
    append((R * (J - J_b).topRows(3)).bottomRows(2));
  }

  void add_load() {
    const Model& model = system.model;
    const int last = model.body_count() - 1;
    const Vec3 p = random_vec3(system.rng);
    const Wrench load{random_vec3(system.rng), random_vec3(system.rng)};
    rows.add_load(0, last, p, load);
    MatX J = MatX::Zero(6, model.velocity_size()), J_b = J;
    point_jacobian(model, system.kinematics, 0, p, J);
    point_jacobian(model, system.kinematics, last, p, J_b);
    Vec6 both;
    both << load.torque, load.force;
    append(both.transpose() * (J - J_b));
  }

  void append(const MatX& more) {
    H.conservativeResize(H.rows() + more.rows(), Eigen::NoChange);
    H.bottomRows(more.rows()) = more;
  }

  /// M⁻¹ of the mechanism, with prescribed velocities and loops held.
  MatX inverse_mass() const {
    MatX free = M;
    for (Eigen::Index i = 0; i < free.rows(); ++i) {
      if (!system.model.prescribed()[static_cast<std::size_t>(i)]) continue;
      free.row(i).setZero();
      free.col(i).setZero();
      free(i, i) = 1;
    }
    MatX inverse = free.llt().solve(MatX::Identity(M.rows(), M.cols()));
    for (Eigen::Index i = 0; i < free.rows(); ++i) {
      if (system.model.prescribed()[static_cast<std::size_t>(i)]) inverse(i, i) = 0;
    }
    if (loops.J.cols() == 0) return inverse;
    const MatX X = inverse * loops.J;
    const MatX S = loops.J.transpose() * X;
    return inverse - X * S.completeOrthogonalDecomposition().solve(X.transpose());
  }

  RandomSystem system;
  MassMatrix factor;
  LoopEquations loops;
  VelocityRows rows;
  MatX M, H;
};

void expect_same_as_dense(const RandomTreeOptions& options, double tolerance) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    RandomRows r(seed, options);
    const MatX inverse = r.inverse_mass();
    const MatX expected = r.H * inverse * r.H.transpose();
    ConeMatrix W;
    r.rows.fill(W);
    ASSERT_EQ(W.size, expected.rows());
    EXPECT_LT(relative_error(MatX(W.dense()), expected), tolerance) << seed;
    EXPECT_EQ(MatX(W.dense()), MatX(W.dense().transpose())) << seed;

    const VecX impulse = random_vector(W.size, r.system.rng);
    VecX v = r.system.v;
    r.rows.add_velocity(impulse.data(), v.data());
    const VecX change = inverse * (r.H.transpose() * impulse);
    EXPECT_LT(relative_error(v - r.system.v, change), tolerance) << seed;
    const VecX u = r.H * r.system.v;
    EXPECT_LT((r.rows.velocity(2, r.system.v.data()) - u.segment<3>(5)).norm(), 1e-12) << seed;
  }
}

// Measured: worst of 50 seeds 1.4e-14, 1.3e-14, and 1.1e-12 with loops, some nearly dependent.
TEST(VelocityRows, AreThoseOfDenseAlgebra) { expect_same_as_dense({}, 1e-13); }

TEST(VelocityRows, LeaveOutPrescribedMotion) { expect_same_as_dense({.prescribed = true}, 1e-13); }

TEST(VelocityRows, KnowWhatLoopsAllow) { expect_same_as_dense({.loops = true}, 1e-11); }

TEST(VelocityRows, FreeMotionIsMadeToObeyLoops) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    RandomRows r(seed, {.loops = true});
    VecX v = r.system.v;
    r.rows.close_loops(v.data());
    EXPECT_LT((r.loops.J.transpose() * v).norm(), 1e-12) << seed;  // measured 1.1e-14
  }
}

// Many bodies on one another: rows are stored sparse and are those of the dense product.
TEST(VelocityRows, SparseIsDenseWithoutZeros) {
  ModelSpec spec;
  for (int i = 0; i < 40; ++i) {
    spec.bodies.push_back(
        {.name = "body" + std::to_string(i),
         .inertia = {1.0 + i, Vec3(0.1, 0, 0), Mat3::Identity()},
         .joint = {.name = "joint" + std::to_string(i), .type = JointType::free}});
  }
  const Model model(spec);
  CounterRng rng(1, 2);
  const VecX q = random_positions(model, rng);
  const Kinematics kinematics = kinematics_at(model, q, VecX::Zero(model.velocity_size()));
  MassMatrix factor(model);
  crba(model, kinematics, factor);
  const MatX inverse = factor.dense().inverse();
  factor.factorize(model);
  const LoopEquations loops(model);
  VelocityRows rows(model);
  rows.begin(kinematics, factor, loops);
  MatX H = MatX::Zero(3 * 78, model.velocity_size());
  for (int c = 0; c < 78; ++c) {
    const int a = c % 39;
    const Vec3 p = random_vec3(rng);
    const ContactAxes axes = contact_axes(random_vec3(rng).normalized());
    rows.add_contact(a, a + 1, p, p, axes);
    MatX J = MatX::Zero(6, model.velocity_size()), J_b = J;
    point_jacobian(model, kinematics, a, p, J);
    point_jacobian(model, kinematics, a + 1, p, J_b);
    MatX R(3, 3);
    R << axes.normal.transpose(), axes.first.transpose(), axes.second.transpose();
    H.middleRows(3 * c, 3) = R * (J - J_b).bottomRows(3);
  }
  ConeMatrix W;
  rows.fill(W);
  ASSERT_FALSE(W.is_dense());
  const MatX expected = H * inverse * H.transpose();
  double worst = 0;
  for (int i = 0; i < W.size; ++i) {
    for (int j = 0; j < W.size; ++j) worst = std::max(worst, std::abs(W(i, j) - expected(i, j)));
  }
  EXPECT_LT(worst, 1e-14 * expected.cwiseAbs().maxCoeff());  // measured 4e-16
  EXPECT_LT(W.column.size(), 9u * 78 * 8);  // each body meets two others, two contacts with each
}

}  // namespace
}  // namespace grouser::internal
