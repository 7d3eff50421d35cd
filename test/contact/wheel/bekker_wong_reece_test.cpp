#include "contact/wheel/bekker_wong_reece.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "math/angle.h"

namespace grouser::internal {
namespace {

// Wheel and soil of Ishigami et al. (2007), tables 1 and 2.
constexpr WheelForm kWheel{.radius = 0.09, .width = 0.1};

Soil lunar_simulant() {
  Soil soil;
  soil.sinkage_exponent = 1;
  soil.cohesive_modulus = 1370;
  soil.frictional_modulus = 8.14e5;
  soil.cohesion = 800;
  soil.friction_angle = 37.2 * kDegree;
  soil.shear_modulus = 0.02;
  soil.density = 1600;
  return soil;
}

// Pressure along z = 0 ... h ahead of the lowest point only, no shear: Bekker's work of compaction, and for
// n = 1 the load k b r² ∫(cos θ - cos θ_f) cos θ dθ = k b r² (θ_f - sin θ_f cos θ_f)/2.
TEST(BekkerWongReece, FrictionlessWheelCostsTheWorkOfCompaction) {
  Soil soil = lunar_simulant();
  soil.cohesion = 0;
  soil.friction_angle = 1e-12;
  const BwrOptions options{.peak = 0, .peak_per_slip = 0, .rear = 0};
  const double k = soil.cohesive_modulus / kWheel.width + soil.frictional_modulus;
  for (const double n : {0.5, 1.0, 1.8}) {
    soil.sinkage_exponent = n;
    for (const double h : {1e-3, 0.01, 0.03}) {
      const WheelReaction r = bwr_reaction(kWheel, soil, {.slip = 0.3}, h, options);
      const double compaction = kWheel.width * k * std::pow(h, n + 1) / (n + 1);
      // Measured: 4e-6 for n = 0.5, whose pressure begins with a vertical tangent; else 1e-10.
      EXPECT_NEAR(r.pull, -compaction, (n < 1 ? 1e-5 : 1e-9) * compaction);
      EXPECT_NEAR(r.torque, 0, 1e-9 * compaction * kWheel.radius);
      if (n != 1) continue;
      const double f = std::acos(1 - h / kWheel.radius);
      const double load =
          k * kWheel.width * std::pow(kWheel.radius, 2) * (f - std::sin(f) * std::cos(f)) / 2;
      EXPECT_NEAR(r.normal, load, 1e-9 * load);
    }
  }
}

// Full mobilisation (K next to nothing), no weight in the stresses (frictionless): τ = c all along. Forces
// are then c b r (sin θ_f - sin θ_r), the torque c b r² (θ_f - θ_r).
TEST(BekkerWongReece, CohesionAloneIsTheAreaTimesIt) {
  Soil soil = lunar_simulant();
  soil.friction_angle = 1e-12;
  soil.shear_modulus = 1e-9;
  const double h = 0.02, r = kWheel.radius, b = kWheel.width;
  const double front = std::acos(1 - h / r), rear = -std::acos(1 - 0.1 * h / r);
  const WheelReaction with = bwr_reaction(kWheel, soil, {.slip = 0.5}, h);
  Soil without = soil;
  without.cohesion = 0;
  const WheelReaction bare = bwr_reaction(kWheel, without, {.slip = 0.5}, h);
  const double pull = soil.cohesion * b * r * (std::sin(front) - std::sin(rear));
  EXPECT_NEAR(with.pull - bare.pull, pull, 1e-9 * pull);
  const double torque = soil.cohesion * b * r * r * (front - rear);
  EXPECT_NEAR(with.torque, torque, 1e-9 * torque);
}

// A plain sum over 200 000 arcs, written down anew from the papers' formulas.
TEST(BekkerWongReece, AgreesWithAPlainSum) {
  const Soil soil = lunar_simulant();
  const double h = 0.018, s = 0.3, r = kWheel.radius, b = kWheel.width, K = soil.shear_modulus;
  const double f = std::acos(1 - h / r), rear = -std::acos(1 - 0.1 * h / r),
               m = (0.4 + 0.15 * s) * f;
  double pull = 0, normal = 0, torque = 0;
  constexpr int kArcs = 200000;
  for (int i = 0; i < kArcs; ++i) {
    const double d = (f - rear) / kArcs, t = rear + (i + 0.5) * d;
    const double z = t > m ? r * (std::cos(t) - std::cos(f))
                           : r * (std::cos(f - (t - rear) / (m - rear) * (f - m)) - std::cos(f));
    const double sigma = (1370 / b + 8.14e5) * z;
    const double j = r * (f - t - (1 - s) * (std::sin(f) - std::sin(t)));
    const double tau = (800 + sigma * std::tan(37.2 * kDegree)) * (1 - std::exp(-j / K));
    pull += r * b * d * (tau * std::cos(t) - sigma * std::sin(t));
    normal += r * b * d * (tau * std::sin(t) + sigma * std::cos(t));
    torque += r * r * b * d * tau;
  }
  const WheelReaction ours = bwr_reaction(kWheel, soil, {.slip = s}, h);
  EXPECT_NEAR(ours.pull, pull, 1e-8 * normal);  // measured 1e-9
  EXPECT_NEAR(ours.normal, normal, 1e-8 * normal);
  EXPECT_NEAR(ours.torque, torque, 1e-8 * torque);
  EXPECT_EQ(ours.lateral, 0);
}

TEST(BekkerWongReece, CarriesTheLoad) {
  const Soil soil = lunar_simulant();
  for (const double load : {1.0, 40.0, 150.0}) {
    for (const double slip : {-1.0, -0.4, 0.0, 0.3, 1.0}) {
      for (const double angle : {0.0, 15 * kDegree, -45 * kDegree}) {
        const BwrBalance balance = bwr_balance(kWheel, soil, {slip, angle}, load);
        ASSERT_TRUE(balance.carried);
        EXPECT_NEAR(balance.normal, load, 1e-12 * load);  // measured 4e-13
        EXPECT_GT(balance.sinkage, 0);
        // The drive's work and the carriage's, per way of the wheel or of its rim, go into the soil.
        const double rim = slip >= 0 ? 1 : 1 + slip, way = slip >= 0 ? 1 - slip : 1;
        const double spent = balance.torque / kWheel.radius * rim - balance.pull * way +
                             balance.lateral * way * std::tan(angle);
        EXPECT_GT(spent, 0) << load << " " << slip << " " << angle;
      }
    }
  }
}

TEST(BekkerWongReece, SaysIfTheSoilDoesNotCarry) {
  const BwrBalance balance = bwr_balance(kWheel, lunar_simulant(), {}, 1e6);
  EXPECT_FALSE(balance.carried);
  EXPECT_EQ(balance.sinkage, kWheel.radius);
}

TEST(BekkerWongReece, LateralForceIsOddInTheSlipAngleAndVanishesWithIt) {
  const Soil soil = lunar_simulant();
  double before = 0;
  for (const double angle : {0.0, 1e-6, 5 * kDegree, 15 * kDegree, 45 * kDegree}) {
    const WheelReaction left = bwr_reaction(kWheel, soil, {0.2, angle}, 0.02);
    const WheelReaction right = bwr_reaction(kWheel, soil, {0.2, -angle}, 0.02);
    EXPECT_EQ(left.lateral, -right.lateral);
    EXPECT_EQ(left.pull, right.pull);
    EXPECT_GE(left.lateral, before);
    before = left.lateral;
  }
  EXPECT_EQ(bwr_reaction(kWheel, soil, {0.2, 0}, 0.02).lateral, 0);
  EXPECT_LT(bwr_reaction(kWheel, soil, {0.2, 1e-6}, 0.02).lateral, 1e-3);  // measured 3e-4 N
}

// D1 = 4.03 and D2 = 2.55 for φ = 37.2°. Spinning at once far to the side with K next to nothing, the face
// pushes ∫ D1 (c h + D2 ρ g h²)(r - h cos θ) dθ; shear is taken off by a soil that has none.
TEST(BekkerWongReece, SideFacePushesSoilAfterHegedus) {
  Soil soil = lunar_simulant();
  soil.shear_modulus = 1e-12;
  const double sinkage = 0.02, r = kWheel.radius, f = std::acos(1 - sinkage / r);
  const double from = -std::acos(1 - 0.1 * sinkage / r);
  double push = 0;
  constexpr int kArcs = 100000;
  for (int i = 0; i < kArcs; ++i) {
    const double d = (f - from) / kArcs, t = from + (i + 0.5) * d;
    const double h = r * (std::cos(t) - std::cos(f));
    push += 4.03 * (800 * h + 2.55 * 1600 * 9.80665 * h * h) * (r - h * std::cos(t)) * d;
  }
  const WheelTravel travel{.slip = 0, .slip_angle = 60 * kDegree};
  const double whole = bwr_reaction(kWheel, soil, travel, sinkage).lateral;
  // Width takes shear, the face does not: twice the width (and k_c) has twice the shear.
  WheelForm wide = kWheel;
  wide.width *= 2;
  soil.cohesive_modulus *= 2;
  const double twice = bwr_reaction(wide, soil, travel, sinkage).lateral;
  EXPECT_NEAR(2 * whole - twice, push, 2e-3 * push);  // D1, D2 are rounded: measured 6e-4
}

// Slip 0 and -1 are where the formulas change.
TEST(BekkerWongReece, IsContinuousInSlip) {
  const Soil soil = lunar_simulant();
  for (const double slip : {0.0, -1.0}) {
    for (const double angle : {0.0, 20 * kDegree}) {
      const WheelReaction there = bwr_reaction(kWheel, soil, {slip, angle}, 0.02);
      const WheelReaction near = bwr_reaction(kWheel, soil, {slip + 1e-9, angle}, 0.02);
      const WheelReaction behind =
          bwr_reaction(kWheel, soil, {std::max(-1.0, slip - 1e-9), angle}, 0.02);
      EXPECT_NEAR(near.pull, there.pull, 1e-5);
      EXPECT_NEAR(near.lateral, there.lateral, 1e-5);
      EXPECT_NEAR(behind.pull, there.pull, 1e-5);
    }
  }
}

TEST(BekkerWongReece, GrousersGiveMorePullAndTorque) {
  const Soil soil = lunar_simulant();
  WheelForm barred = kWheel;
  barred.grouser_height = 0.01;
  const BwrBalance smooth = bwr_balance(kWheel, soil, {.slip = 0.3}, 50);
  const BwrBalance rough = bwr_balance(barred, soil, {.slip = 0.3}, 50);
  EXPECT_GT(rough.pull, smooth.pull);
  EXPECT_GT(rough.torque, smooth.torque);
}

TEST(BekkerWongReece, NamesAllThatIsOutOfRange) {
  Soil soil = lunar_simulant();
  soil.cohesive_modulus = -1e5;
  try {
    validate({.radius = -1, .width = 0.1}, soil, {.peak = 0.9, .peak_per_slip = 0.2});
    FAIL();
  } catch (const Error& error) {
    ASSERT_EQ(error.issues().size(), 3u);
  }
  EXPECT_NO_THROW(validate(kWheel, lunar_simulant(), {}));
}

}  // namespace
}  // namespace grouser::internal
