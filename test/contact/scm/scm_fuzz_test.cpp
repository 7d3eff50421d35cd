// Forces of soft soil at poses, speeds, soils and footprints that nobody chose.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "contact/scm/scm_stiffness.h"
#include "contact/scm/trapped_soil.h"
#include "geometry/primitives.h"
#include "math/rotation.h"
#include "soil_testing.h"
#include "support/random.h"

namespace grouser::internal {
namespace {

constexpr double kSize = 0.12;  // of the bodies, about [m]
constexpr double kHalf = 0.5;   // of the soil's side [m]
// The pressure under a patch is shared out with mean 1 over what bears. Measured 55, in a footprint of seven cells that
// carries 1e-16 N.
constexpr double kMostShare = 100;

std::vector<TriMesh> fuzzed_meshes() {
  return {cylinder_mesh(kSize, 0.08, {.segments = 48, .rings = 2, .cap_rings = 2}),
          box_mesh({kSize, 0.7 * kSize, 0.3 * kSize}), sphere_mesh(0.5 * kSize, 8),
          torus_mesh(0.7 * kSize, 0.2 * kSize, 24, 12)};
}

Soil random_soil(CounterRng& rng) {
  const std::vector<Soil>& presets = soil_presets();
  const double place = rng.uniform() * static_cast<double>(presets.size());
  Soil soil = presets[std::min(static_cast<std::size_t>(place), presets.size() - 1)];
  soil.cohesion *= rng.uniform(0, 2);
  soil.shear_modulus *= rng.uniform(0.1, 2);
  return soil;
}

ScmOptions random_options(CounterRng& rng) {
  ScmOptions options;
  if (rng.uniform() < 0.2) options.bearing = ScmOptions::Bearing::vertical;
  if (rng.uniform() < 0.2) options.shear = ScmOptions::Shear::coulomb;
  if (rng.uniform() < 0.2) options.horizontal = ScmOptions::Horizontal::paper;
  if (rng.uniform() < 0.05) options.distribution = ScmOptions::Distribution::centrality;
  options.damping = rng.uniform() < 0.3 ? 0 : std::pow(10, rng.uniform(1, 6));
  return options;
}

/// One body in one bed of soil, moved about in it.
struct FuzzedBody {
  const TriMesh& mesh;
  const ScmBody& body;
  CounterRng& rng;
  Soil material;
  ScmOptions options;
  ScmSoil soil;
  SoilMap soils;
  ScmScratch scratch;
  ScmBodyMemory memory;

  FuzzedBody(const TriMesh& surface, const ScmBody& shape, CounterRng& dice)
      : mesh(surface),
        body(shape),
        rng(dice),
        material(random_soil(dice)),
        options(random_options(dice)),
        soil(flat_soil(dice.uniform(0.015, 0.03), kHalf,
                       0.2 * Vec2(dice.uniform(-1, 1), dice.uniform(-1, 1)))),
        soils(material),
        scratch(shape, soil.map) {
    memory.X_WB = random_pose_in_soil();
  }

  /// From clear of the soil to sunk in it, at depths of a nanometre to a body's size.
  Pose random_pose_in_soil() {
    const Vec3 p(rng.uniform(-0.2, 0.2), rng.uniform(-0.2, 0.2), 0);
    const Mat3 R = random_rotation(rng);
    const double depth = kSize * std::pow(10, rng.uniform(-8, 0));
    double lowest = 1e9;
    for (const Vec3& vertex : mesh.vertices) {
      const Vec3 x = R * vertex + p;
      lowest = std::min(lowest, x.z() - soil.map.height(x.x(), x.y()));
    }
    return {R, p - (lowest + depth) * Vec3::UnitZ()};
  }

  Pose nearby(const Pose& X) {
    const double far = std::pow(10, rng.uniform(-8, -1.5));
    return {rotation_about(random_vector(rng).normalized(), far / kSize) * X.R,
            X.p + far * random_vector(rng)};
  }

  Twist random_twist() {
    const double speed = std::pow(10, rng.uniform(-6, 1));
    return {.angular = speed / kSize * random_vector(rng), .linear = speed * random_vector(rng)};
  }

  void look(const Pose& X, const Twist& V) {
    scm_force(body, X, V, memory, soil, soils, options, scratch);
    expect_cells_within_law(V);
    expect_sum(X);
    expect_stiffness();
  }

  void expect_cells_within_law(const Twist& V) const {
    const CellLoads& loads = scratch.force.loads;
    const ScmScratch::Cells& c = scratch.cells;
    const double speed = V.linear.norm() + 3 * kSize * V.angular.norm();
    for (std::size_t k = 0; k < loads.size(); ++k) {
      const CellLoad load = loads[k];
      const double deepest = std::max(load.sinkage, c.deepest[k]);
      const double curve = c.stiffness[k] * std::pow(deepest, c.exponent[k]);
      const double most = kMostShare * curve + options.damping * speed;
      ASSERT_TRUE(load.pressure >= 0 && load.pressure <= most) << load.pressure << " " << most;
      ASSERT_TRUE(c.mobilised[k] >= 0 && c.mobilised[k] <= 1) << c.mobilised[k];
      const double strength = c.cohesion[k] + load.pressure * c.tan_friction[k];
      const double limit = c.area[k] * c.stretch[k] * (load.pressure + 2 * strength);
      ASSERT_TRUE(load.force.norm() <= limit * (1 + 1e-12) + 1e-300)
          << load.force.transpose() << " " << limit;
    }
  }

  void expect_sum(const Pose& X) const {
    Vec3 force = scratch.force.wall;
    const CellLoads& loads = scratch.force.loads;
    double all = force.norm();
    for (std::size_t k = 0; k < loads.size(); ++k) {
      force += loads[k].force;
      all += loads[k].force.norm();
    }
    const Wrench& wrench = scratch.force.wrench;
    ASSERT_TRUE(wrench.torque.allFinite()) << X.p.transpose();
    ASSERT_TRUE((wrench.force - force).norm() <= 1e-12 * all);  // measured 3e-16
  }

  /// Symmetric, positive semidefinite, and along no direction stiffer than Bekker's curve, let up, and Janosi's.
  void expect_stiffness() const {
    const ScmStiffness slopes = scm_stiffness(options, scratch);
    for (const Mat6& matrix : {slopes.stiffness, slopes.damping}) {
      ASSERT_TRUE(matrix.allFinite());
      const double scale = matrix.cwiseAbs().maxCoeff();
      ASSERT_TRUE((matrix - matrix.transpose()).cwiseAbs().maxCoeff() <= 1e-12 * scale);
      const double least =
          Eigen::SelfAdjointEigenSolver<Mat6>(matrix, Eigen::EigenvaluesOnly).eigenvalues()[0];
      ASSERT_TRUE(least >= -1e-9 * scale) << least << " " << scale;
    }
    double most = 0;
    const ScmScratch::Cells& c = scratch.cells;
    const CellLoads& loads = scratch.force.loads;
    for (std::size_t k = 0; k < loads.size(); ++k) {
      const double z = loads.sinkage[k], n = c.exponent[k];
      const double secant = z > 0 ? c.stiffness[k] * std::pow(z, n - 1) : 0;
      const double strength = c.cohesion[k] + loads.pressure[k] * c.tan_friction[k];
      most +=
          c.area[k] * c.stretch[k] *
          (c.stretch[k] * kMostShare * options.unloading * secant + 2 * strength / c.modulus[k]);
    }
    const double trace = slopes.stiffness.bottomRightCorner<3, 3>().trace();
    ASSERT_TRUE(trace <= most * (1 + 1e-12)) << trace << " " << most;
  }

  void commit(const Pose& X, const Twist& V) { scm_commit(X, V, options, scratch, memory, soil); }
};

void fuzz(std::uint64_t seed, int beds, int poses) {
  const std::vector<TriMesh> meshes = fuzzed_meshes();
  std::vector<ScmBody> bodies;
  for (const TriMesh& mesh : meshes) bodies.emplace_back(mesh, 0.05);
  for (int bed = 0; bed < beds; ++bed) {
    CounterRng rng(seed + static_cast<std::uint64_t>(bed));
    const std::size_t shape = static_cast<std::size_t>(bed) % bodies.size();
    FuzzedBody fuzzed(meshes[shape], bodies[shape], rng);
    for (int k = 0; k < poses; ++k) {
      const bool goes_on = rng.uniform() < 0.7;
      const Pose X = goes_on ? fuzzed.nearby(fuzzed.memory.X_WB) : fuzzed.random_pose_in_soil();
      const Twist V = fuzzed.random_twist();
      fuzzed.look(X, V);
      if (testing::Test::HasFatalFailure()) FAIL() << "bed " << bed << ", pose " << k;
      if (rng.uniform() < 0.5) fuzzed.commit(X, V);
    }
  }
}

TEST(ScmFuzz, ForcesKeepTheirLaws) { fuzz(0, 200, 50); }

TEST(LongScmFuzz, ForcesKeepTheirLawsAMillionTimes) { fuzz(1'000'000, 20'000, 50); }

// What damping adds to the pressure is no stiffness: where soil hardly bears it would become one without bound.
TEST(ScmStiffness, DoNotDependOnDamping) {
  const ScmBody body(fuzzed_meshes()[0], 0.05);
  ScmSoil soil = flat_soil(0.02, kHalf);
  const SoilMap soils(find_soil("dry_sand"));
  ScmScratch scratch(body, soil.map);
  const Pose X{rotation_about(Vec3::UnitX(), std::numbers::pi / 2), Vec3(0, 0, kSize - 0.01)};
  const Pose X_before{X.R,
                      X.p - 0.02 * Vec3::UnitX()};  // sheared, so that it hardly bears at its rim
  const auto stiffness = [&](double damping) {
    const ScmOptions options{.shear = ScmOptions::Shear::janosi, .damping = damping};
    scm_force(body, X, {.linear = -0.1 * Vec3::UnitZ()}, {.X_WB = X_before}, soil, soils, options,
              scratch);
    return scm_stiffness(options, scratch).stiffness(5, 5);
  };
  const double still = stiffness(0), damped = stiffness(1e3);
  // Stress rises with damping, and with it the strength that shear stiffness comes from: some percent.
  EXPECT_NEAR(damped / still, 1, 0.05);
}

}  // namespace
}  // namespace grouser::internal
