#include "rigs/wheel_rig.h"

#include <gtest/gtest.h>

#include <cmath>

#include "assets/wheel.h"
#include "core/parallel.h"
#include "geometry/mesh_file.h"
#include "support/temporary_folder.h"

namespace grouser::internal {
namespace {

using WheelRigWithMesh = TemporaryFolderTest;

/// A small, quick rig.
WheelRigSpec quick_rig() {
  WheelRigSpec spec;
  spec.wheel = smooth_wheel(0.125, 0.1);
  spec.spacing = 0.01;
  spec.speed = 0.2;
  spec.distance = 0.3;
  return spec;
}

WheelPass run_one(const WheelRigSpec& spec, std::optional<double> slip, double slip_angle = 0) {
  return run_wheel(spec, {.slip = slip, .slip_angle = slip_angle}).front();
}

// Without friction, towing does nothing but press the soil down: R = b k z^(n+1)/(n+1). With k_c = 0 the
// width of the footprint does not matter; stiff unloading gives next to nothing back.
TEST(WheelRig, TowingCostsTheWorkOfCompaction) {
  WheelRigSpec spec;
  spec.soil.cohesive_modulus = 0;
  spec.soil.frictional_modulus = 2e5;
  spec.soil.cohesion = 0;
  spec.soil.friction_angle = 1e-9;
  spec.speed = 0.2;
  spec.distance = 0.4;
  spec.spacing = 0.125 / 25;
  spec.scm.deformation = ScmOptions::Deformation::none;
  spec.scm.unloading = 200;
  const WheelPass pass = run_one(spec, 0);
  const double n = spec.soil.sinkage_exponent, z = pass.sinkage.mean;
  const double expected =
      spec.wheel.width * spec.soil.frictional_modulus * std::pow(z, n + 1) / (n + 1);
  EXPECT_NEAR(-pass.pull.mean / expected, 1, 0.05);          // measured 0.972
  EXPECT_NEAR(pass.load.mean, spec.load, 0.01 * spec.load);  // measured 0.15 %
  // All of the resistance goes through the carriage: pressure on a round wheel has no arm.
  EXPECT_LT(std::abs(pass.torque.mean), 0.01 * spec.load * spec.wheel.radius);  // measured 0.3 %
}

TEST(WheelRig, HeavierWheelsSinkDeeper) {
  WheelRigSpec spec = quick_rig();
  const WheelPass light = run_one(spec, 0.1);
  spec.load *= 2;
  const WheelPass heavy = run_one(spec, 0.1);
  EXPECT_GT(heavy.sinkage.mean, 1.2 * light.sinkage.mean);
}

// Soil cannot give more than its strength under the wheel: W tan φ + c A.
TEST(WheelRig, PullRisesWithSlipTowardsTheSoilsStrength) {
  WheelRigSpec spec = quick_rig();
  spec.soil = find_soil("dry_sand");
  spec.scm.deformation = ScmOptions::Deformation::none;
  const double contact = 0.12 * spec.wheel.width;  // longer than it gets
  const double most = spec.load * std::tan(spec.soil.friction_angle) + spec.soil.cohesion * contact;
  double before = -1e9;
  std::vector<double> pulls;
  for (const double slip : {-0.2, 0.0, 0.2, 0.5, 0.8}) {
    const WheelPass pass = run_one(spec, slip);
    EXPECT_GT(pass.pull.mean, before) << slip;
    EXPECT_LT(pass.pull.mean, most) << slip;
    EXPECT_NEAR(pass.slip.mean, slip, 1e-3);
    before = pass.pull.mean;
    pulls.push_back(before);
  }
  EXPECT_LT(pulls[4] - pulls[3], 0.5 * (pulls[2] - pulls[1]));  // levels off
}

// The wheel's surface is its own mirror image, its triangles are not once those that it does not need are gone: so
// the wheel that heads right has the mirrored mesh.
TEST_F(WheelRigWithMesh, LeftAndRightAreAlike) {
  WheelRigSpec spec = quick_rig();
  spec.distance = 0.2;
  spec.scm.deformation = ScmOptions::Deformation::none;
  const auto run_with = [&](const Vec3& factors, double slip_angle) {
    spec.mesh = (folder_ / "wheel.obj").string();
    write_obj(spec.mesh, scaled(factors, make_wheel(spec.wheel)));
    return run_one(spec, 0.2, slip_angle);
  };
  const WheelPass left = run_with(Vec3(1, 1, 1), 0.2), right = run_with(Vec3(1, -1, 1), -0.2);
  // As long as no soil slides. Rounding decides to which of two cells a piece of wall belongs: measured 4e-6.
  EXPECT_NEAR(left.pull.mean, right.pull.mean, 1e-5 * spec.load);
  EXPECT_NEAR(left.lateral.mean, -right.lateral.mean, 1e-5 * spec.load);
  // Triangles of the unmirrored mesh make a difference where a cell's middle is beside the rim: 3e-4 of the load.
  const WheelPass other = run_with(Vec3(1, 1, 1), -0.2);
  EXPECT_NEAR(left.lateral.mean, -other.lateral.mean, 5e-4 * spec.load);
  // A wheel that heads left is dragged to its right: the soil pushes it left.
  EXPECT_GT(left.lateral.mean, 0.05 * spec.load);
}

TEST(WheelRig, FreeRollingTakesNoTorque) {
  const WheelPass pass = run_one(quick_rig(), std::nullopt);
  EXPECT_EQ(pass.torque.mean, 0);
  EXPECT_LT(pass.slip.mean, 0);
  EXPECT_GT(pass.slip.mean, -0.5);
  EXPECT_LT(pass.pull.mean, 0);
}

// Every pass finds the soil pressed by the one before.
TEST(WheelRig, SecondPassRunsInTheRut) {
  WheelRigSpec spec = quick_rig();
  spec.scm.deformation = ScmOptions::Deformation::none;
  spec.passes = 2;
  const std::vector<WheelPass> passes = run_wheel(spec, {.slip = std::nullopt});
  ASSERT_EQ(passes.size(), 2U);
  EXPECT_GT(passes[1].pull.mean, 0.7 * passes[0].pull.mean);  // resistance falls, by a third here
  ASSERT_TRUE(passes[0].rut_depth && passes[1].rut_depth);
  EXPECT_GT(*passes[0].rut_depth, 0.005);
  EXPECT_GE(*passes[1].rut_depth, *passes[0].rut_depth);
}

// The weight along the slope is the carriage's matter: what the soil does stays the same.
TEST(WheelRig, SlopeIsNotPull) {
  WheelRigSpec spec = quick_rig();
  spec.distance = 0.15;
  const WheelPass level = run_one(spec, 0.2);
  spec.slope_deg = 15;
  const WheelPass uphill = run_one(spec, 0.2);
  EXPECT_NEAR(uphill.load.mean, level.load.mean, 0.01 * spec.load);
  EXPECT_NEAR(uphill.pull.mean, level.pull.mean, 0.02 * spec.load);  // measured 0.5 %
}

TEST(WheelRig, SameForAnyNumberOfThreads) {
  WheelRigSpec spec = quick_rig();
  spec.distance = 0.05;
  const std::vector<WheelCase> cases = {{.slip = 0.1}, {.slip = 0.5}, {.slip = {}}};
  set_thread_count(1);
  const std::vector<WheelPass> one = run_wheel_sweep(spec, cases);
  set_thread_count(2);
  const std::vector<WheelPass> two = run_wheel_sweep(spec, cases);
  set_thread_count(0);
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t k = 0; k < one.size(); ++k) {
    EXPECT_EQ(one[k].pull.mean, two[k].pull.mean);
    EXPECT_EQ(one[k].torque.deviation, two[k].torque.deviation);
    EXPECT_EQ(one[k].trace.back().sinkage, two[k].trace.back().sinkage);
  }
}

TEST(WheelRig, NamesWhatIsOutOfRange) {
  WheelRigSpec spec = quick_rig();
  EXPECT_THROW(run_wheel(spec, {.slip = 1.5}), Error);
  spec.load = -1;
  EXPECT_THROW(run_wheel(spec, {.slip = 0.5}), Error);
}

}  // namespace
}  // namespace grouser::internal
