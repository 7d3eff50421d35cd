// What sheared soil bears, and what its walls withstand.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "contact/scm/cell_kernels.h"
#include "geometry/primitives.h"
#include "soil_testing.h"

namespace grouser {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kDepth = 0.02;  // [m]

/// Meyerhof's factor, as it is written in books.
double meyerhof(double tan_delta) { return std::pow(1 - std::atan(tan_delta) / (kPi / 2), 2); }

TEST(Inclination, IsMeyerhofsFactor) {
  const std::vector<double> p = {1e4, 1e4, 1e3, 1, 50, 0, 0};
  const std::vector<double> c = {0, 0, 200, 5e3, 0, 100, 0};
  const std::vector<double> t = {0.5, 0.5, 0.8, 0.2, 0, 0.5, 0.5};
  const std::vector<double> m = {0, 1, 0.3, 1, 1, 0.5, 1};
  std::vector<double> part(p.size());
  kernels::inclination(p.size(), {p.data(), c.data(), t.data(), m.data()}, part.data());
  EXPECT_NEAR(part[0], 1, 1e-14);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(part[k] / meyerhof(m[k] * (c[k] + p[k] * t[k]) / p[k]), 1,
                1e-13);  // measured 1e-15
  }
  EXPECT_EQ(part[5], 0);  // shear alone: 90°
  EXPECT_EQ(part[6], 0);  // no stress at all; there is nothing to bear
}

TEST(Inclination, SoilThatGaveWayKeepsWhatItBears) {
  for (const double unloading : {3., 20., 200.}) {
    for (const double n : {0.3, 1.0, 1.8}) {
      const std::array<double, 4> part = {0, 0.2, 0.7, 1};
      const std::array<double, 4> z = {0.01, 0.01, 0.02, 0.03}, exponent = {n, n, n, n};
      std::array<double, 4> power_of{}, deepest{};
      kernels::deepest_alike(4, z.data(), part.data(), exponent.data(), unloading, power_of.data(),
                             deepest.data());
      const BekkerLaw law{.stiffness = 1, .exponent = n, .unloading = unloading};
      for (std::size_t k = 0; k < 4; ++k) {
        const double borne = law.virgin_pressure(deepest[k]) * law.elastic_part(z[k], deepest[k]);
        // Measured 3e-9, at n 0.3 and an unloading of 3.
        EXPECT_NEAR(borne / law.virgin_pressure(z[k]), part[k], 1e-8) << unloading << " " << n;
        EXPECT_LE(law.sunk_after(deepest[k]), z[k] * (1 + 1e-15));
      }
    }
  }
}

/// A disc that is pressed down and then shoved, all in soil that lives by friction.
struct Plate : Rig {
  ScmSoil ground;
  Soil soil;

  Plate() : Plate(flat_soil(0.005, 0.3), dry()) {}

  static Soil dry() {
    Soil soil = find_soil("dlr_a");
    soil.cohesion = 0;
    return soil;
  }
  static Pose at(double x, double depth) { return {Mat3::Identity(), Vec3(x, 0, 0.05 - depth)}; }

  const ScmForce& force(double x, double depth) {
    return scm_force(body, at(x, depth), {}, memory, ground, soils, options, scratch);
  }
  double mobilised_tan() const { return std::tan(soil.friction_angle) * -std::expm1(-5); }

 private:
  Plate(const ScmSoil& flat, const Soil& material)
      : Rig(cylinder_mesh(0.075, 0.1, {.segments = 360, .rings = 1, .cap_rings = 2}), flat,
            material),
        ground(flat),
        soil(material) {}
};

// p i k zⁿ bears the same load as k z₀ⁿ at z = z₀ / i^(1/n).
TEST(Inclined, AShearedPlateSinksUnderItsLoad) {
  Plate plate;
  plate.start(Plate::at(0, kDepth));
  const double load = plate.force(0, kDepth).wrench.force.z();
  const double deeper =
      kDepth / std::pow(meyerhof(plate.mobilised_tan()), 1 / plate.soil.sinkage_exponent);
  plate.start(Plate::at(0, deeper));
  const double way = 5 * plate.soil.shear_modulus;
  EXPECT_NEAR(plate.force(way, deeper).wrench.force.z() / load, 1,
              1e-3);  // measured 1e-4: the grid
  plate.options.bearing = ScmOptions::Bearing::vertical;
  EXPECT_GT(plate.force(way, deeper).wrench.force.z() / load, 1.5);
}

TEST(Inclined, WithoutShearNothingChanges) {
  Plate plate;
  plate.start(Plate::at(0, kDepth));
  const double load = plate.force(0, kDepth).wrench.force.z();
  plate.options.bearing = ScmOptions::Bearing::vertical;
  EXPECT_NEAR(plate.force(0, kDepth).wrench.force.z() / load, 1, 1e-13);
}

// To and fro at the same depth: what the soil lost by shear does not come back, so no work can be won by it.
// Pressed on, it stiffens up to Bekker's curve.
TEST(Inclined, ShearThatReversesGivesNoPressureBack) {
  Plate plate;
  plate.start(Plate::at(0, kDepth));
  plate.step(Plate::at(0, kDepth), 1, plate.ground);
  const double load = plate.force(0, kDepth).wrench.force.z();
  // Turned about the vertical: shears the soil without leaving it.
  const auto turned = [](double angle, double depth) {
    return Pose{Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix(), Plate::at(0, depth).p};
  };
  for (int k = 1; k <= 20; ++k) plate.step(turned(0.02 * k, kDepth), 1, plate.ground);
  const double sheared = plate.scratch.force.wrench.force.z();
  EXPECT_LT(sheared, 0.75 * load);
  for (int k = 19; k >= 0; --k) {
    plate.step(turned(0.02 * k, kDepth), 1, plate.ground);
    EXPECT_LE(plate.scratch.force.wrench.force.z(), sheared * (1 + 1e-8));  // measured 2e-9
  }
  plate.options.bearing = ScmOptions::Bearing::vertical;
  const double on_curve = load * std::pow(1.1, plate.soil.sinkage_exponent);
  EXPECT_NEAR(plate.force(0, 1.1 * kDepth).wrench.force.z() / on_curve, 1, 1e-3);
}

// A square pushed along x by u: ∫ p dz over the depth of the side ahead, times e^(-π tan φ), mobilised by u.
TEST(Walls, WithstandPassiveEarthPressure) {
  constexpr double kSide = 0.1, kPush = 0.004;
  const ScmSoil ground = flat_soil(0.0025, 0.2);
  Rig rig(box_mesh(Vec3(kSide, kSide, 0.1), 20), ground, Plate::dry());
  rig.start({Mat3::Identity(), Vec3(0, 0, 0.05 - kDepth)});
  const ScmForce& force = scm_force(rig.body, {Mat3::Identity(), Vec3(kPush, 0, 0.05 - kDepth)}, {},
                                    rig.memory, ground, rig.soils, rig.options, rig.scratch);
  const PatchLaws& laws = rig.scratch.laws.front();
  const double expected = kSide * laws.bekker.work(kDepth) *
                          std::exp(-kPi * laws.shear.tan_friction) *
                          -std::expm1(-kPush / laws.shear.modulus);
  EXPECT_NEAR(-force.wall.x() / expected, 1, 0.02);  // measured 0.013: its corners are cut
  EXPECT_NEAR(force.wall.y() / expected, 0, 1e-9);
}

}  // namespace
}  // namespace grouser
