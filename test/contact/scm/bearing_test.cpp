// What sheared soil bears, and what its walls withstand.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "contact/scm/cell_kernels.h"
#include "geometry/primitives.h"
#include "math/angle.h"
#include "soil_testing.h"

namespace grouser::internal {
namespace {

constexpr double kDepth = 0.02;  // [m]

/// Sokolovskii's solution, with angles as they are written in books. `slope`: of the face, rising ahead; `slides`: the
/// part of the strength that is mobilised, ahead (positive) or backwards; `sideways`: likewise, along the contour.
double sokolovskii(double tan_friction, double slope, double slides, double sideways = 0) {
  const double phi = std::atan(tan_friction), theta = std::atan(slope);
  const double m = std::hypot(slides, sideways), delta = std::atan(m * tan_friction);
  const double epsilon =
      phi > 0 ? 0.5 * (delta + std::asin(std::min(1.0, std::sin(delta) / std::sin(phi))))
              : 0.5 * std::asin(m);
  const Vec3 normal(std::sin(theta), 0, -std::cos(theta)),
      ahead(std::cos(theta), 0, std::sin(theta));
  const Vec3 along = m > 0 ? Vec3((slides * ahead + sideways * Vec3::UnitY()) / m) : ahead;
  const Vec3 largest = std::cos(epsilon) * normal + std::sin(epsilon) * along;
  const double turned = std::acos(std::clamp(-largest.z(), -1.0, 1.0));
  return std::exp(-2 * turned * tan_friction) * (1 + std::sin(phi) * std::cos(2 * epsilon)) /
         (1 + std::sin(phi));
}

/// What the kernel makes of one cell.
double bearing_part(double pressure, double cohesion, double tan_friction, double slope,
                    double slides, double sideways = 0) {
  const double stretch = std::sqrt(1 + slope * slope), m = std::hypot(slides, sideways);
  const double along_z = slides * slope / stretch;
  double part = 0, turned = 0;
  kernels::bearing(1, {.stretch = &stretch},
                   {.pressure = &pressure,
                    .cohesion = &cohesion,
                    .tan_friction = &tan_friction,
                    .mobilised = &m,
                    .along_z = &along_z},
                   &part, &turned);
  return part;
}

// By hand, for φ = 30°: tan φ = 0.57735, sin φ = 1/2; where the soil slides fully 2ε = 90° + φ = 120°.
TEST(BearingPart, HandValues) {
  const double t = std::tan(30 * kDegree), full = 1;
  EXPECT_NEAR(bearing_part(1e4, 0, t, 0, 0), 1, 1e-15);             // Bekker's plate
  EXPECT_NEAR(bearing_part(1e4, 0, t, 1, 0), 0.403774, 1e-6);       // e^(-2 π/4 tan φ)
  EXPECT_NEAR(bearing_part(1e4, 0, t, 1e9, 0), 3 / 18.40, 2e-5);    // a wall: Rankine over Prandtl
  EXPECT_NEAR(bearing_part(1e4, 0, t, 0, full), 0.149218, 1e-6);    // e^(-2 π/3 tan φ)/2
  const double up = std::tan(30 * kDegree);                         // a face of 30°
  EXPECT_NEAR(bearing_part(1e4, 0, t, up, full), 0.081517, 1e-6);   // locked: e^(-π tan φ)/2
  EXPECT_NEAR(bearing_part(1e4, 0, t, up, -full), 0.273147, 1e-6);  // spinning: e^(-π/3 tan φ)/2
}

TEST(BearingPart, IsSokolovskiisSolution) {
  for (const double t : {0.1, 0.5, 1.2}) {
    for (const double slope : {0., 0.2, 1., 5.}) {
      for (const double slides : {-0.99, -0.4, 0., 0.3, 0.9}) {
        for (const double sideways : {0., 0.1}) {
          EXPECT_NEAR(bearing_part(1e4, 0, t, slope, slides, sideways),
                      sokolovskii(t, slope, slides, sideways), 1e-13)  // measured 1e-15
              << t << " " << slope << " " << slides << " " << sideways;
        }
      }
    }
  }
}

TEST(BearingPart, CohesionCountsAsFrictionOfTheSameStrength) {
  EXPECT_NEAR(bearing_part(1e3, 200, 0.5, 0.3, 0.6), sokolovskii(0.7, 0.3, 0.6), 1e-14);
  // Little cohesion c in soil without friction: a wall bears π c less than a plate, which is Prandtl's 2 + π and
  // Rankine's 2.
  EXPECT_NEAR(1 - bearing_part(1e6, 1, 0, 1e9, 0), std::numbers::pi * 1e-6, 1e-11);
  EXPECT_LT(bearing_part(0, 100, 0.5, 0, 0.5), 1e-6);  // shear alone
  EXPECT_EQ(bearing_part(0, 0, 0, 0, 0), 1);           // no stress at all
}

TEST(BearingPart, SoilThatGaveWayKeepsWhatItBears) {
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
      kDepth / std::pow(sokolovskii(std::tan(plate.soil.friction_angle), 0, -std::expm1(-5)),
                        1 / plate.soil.sinkage_exponent);
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
  // Turned about the vertical: shears the soil without leaving it. By whole degrees, as it is a polygon of 360 sides.
  const auto turned = [](double angle, double depth) {
    return Pose{Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix(), Plate::at(0, depth).p};
  };
  for (int k = 1; k <= 20; ++k) plate.step(turned(k * kDegree, kDepth), 1, plate.ground);
  const double sheared = plate.scratch.force.wrench.force.z();
  EXPECT_LT(sheared, 0.75 * load);
  for (int k = 19; k >= 0; --k) {
    plate.step(turned(k * kDegree, kDepth), 1, plate.ground);
    EXPECT_LE(plate.scratch.force.wrench.force.z(), sheared * (1 + 1e-12));  // measured 3e-15
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
                          std::exp(-std::numbers::pi * laws.shear.tan_friction) *
                          -std::expm1(-kPush / laws.shear.modulus);
  EXPECT_NEAR(-force.wall.x() / expected, 1, 0.02);  // measured 0.013: its corners are cut
  EXPECT_NEAR(force.wall.y() / expected, 0, 1e-9);
}

// Pushed slantwise, each of two sides resists with η and rubs along the other's direction with tan φ η: together
// η_x (1 + tan φ η_y) along x.
TEST(Walls, RubAlong) {
  constexpr double kSide = 0.1;
  const ScmSoil ground = flat_soil(0.0025, 0.2);
  Rig rig(box_mesh(Vec3(kSide, kSide, 0.1), 20), ground, Plate::dry());
  rig.start({Mat3::Identity(), Vec3(0, 0, 0.05 - kDepth)});
  const Vec2 push(0.004, 0.003);
  const ScmForce& force =
      scm_force(rig.body, {Mat3::Identity(), Vec3(push.x(), push.y(), 0.05 - kDepth)}, {},
                rig.memory, ground, rig.soils, rig.options, rig.scratch);
  const PatchLaws& laws = rig.scratch.laws.front();
  const double strength =
      kSide * laws.bekker.work(kDepth) * std::exp(-std::numbers::pi * laws.shear.tan_friction);
  const Vec2 eta = laws.shear.bent(Vec2::Zero(), push) / laws.shear.modulus;
  const double both = laws.shear.tan_friction * eta.x() * eta.y();
  // Measured 0.017 and 0.022: its corners are cut.
  EXPECT_NEAR(-force.wall.x() / (strength * (eta.x() + both)), 1, 0.03);
  EXPECT_NEAR(-force.wall.y() / (strength * (eta.y() + both)), 1, 0.03);
}

// Shoved by three K, a plate stands on soil ahead that its wall has pushed along before: sheared as the wall is, not only
// as far as the plate has slid over it.
TEST(Walls, LetSoilInThatIsSheared) {
  ScmSoil ground = flat_soil(0.005, 0.2);
  Rig rig(box_mesh(Vec3(0.1, 0.1, 0.1), 20), ground, Plate::dry());
  const double K = Plate::dry().shear_modulus;
  rig.start({Mat3::Identity(), Vec3(0, 0, 0.05 - kDepth)});
  for (int k = 1; k <= 45; ++k) {
    rig.step({Mat3::Identity(), Vec3(0.001 * k, 0, 0.05 - kDepth)}, 1, ground);
  }
  const ContactCells& cells = rig.scratch.footprint.cells;
  const double front = *std::max_element(cells.x.begin(), cells.x.end());
  int ahead = 0;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (cells.x[c] < front - 0.004 || std::abs(cells.y[c]) > 0.03) continue;
    EXPECT_GT(rig.scratch.force.loads.shear_x[c], 0.9 * K);  // measured 0.95 K
    ++ahead;
  }
  EXPECT_GT(ahead, 5);
}

}  // namespace
}  // namespace grouser::internal
