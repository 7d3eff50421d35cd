#include "contact/laws/bekker.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "contact/laws/shear.h"

namespace grouser::internal {
namespace {

TEST(Bekker, VirginCurveIsThePowerLaw) {
  const BekkerLaw law{.stiffness = 60300, .exponent = 0.5};
  EXPECT_DOUBLE_EQ(law.pressure(0.04, 0), 60300 * 0.2);
  EXPECT_EQ(law.pressure(0, 0), 0);
  EXPECT_DOUBLE_EQ(law.work(0.04), 60300 * 0.2 * 0.04 / 1.5);
}

TEST(Bekker, UnloadsSteeplyAndMeetsTheCurveAgain) {
  const BekkerLaw law{.stiffness = 1e6, .exponent = 1, .unloading = 10};
  const double sunk = law.sunk_after(0.02);
  EXPECT_DOUBLE_EQ(law.deepest_before(sunk), 0.02);
  EXPECT_NEAR(law.pressure(0.02, sunk), 2e4, 1e-9);
  EXPECT_NEAR(law.pressure(sunk, sunk), 0, 1e-9);
  EXPECT_EQ(law.pressure(0.5 * sunk, sunk), 0);
  EXPECT_NEAR(law.pressure(0.019, sunk), 1e4, 1e-9);  // halfway up the elastic line
  EXPECT_DOUBLE_EQ(law.pressure(0.03, sunk), 3e4);    // beyond: virgin again
}

// Pressing and letting go costs the area between curve and elastic line, never less than nothing.
TEST(Bekker, ACycleTakesEnergy) {
  for (const double n : {0.3, 0.63, 1.0, 1.8}) {
    const BekkerLaw law{.stiffness = 1e6, .exponent = n, .unloading = 20};
    const double z = 0.03, sunk = law.sunk_after(z);
    const double returned = 0.5 * law.virgin_pressure(z) * (z - sunk);
    EXPECT_LT(returned, law.work(z));
    double sum = 0;  // of the elastic line, by the midpoint rule: exact for a straight line
    for (int i = 0; i < 1000; ++i) {
      sum += law.pressure(sunk + (z - sunk) * (i + 0.5) / 1000, sunk) * (z - sunk) / 1000;
    }
    EXPECT_NEAR(sum / returned, 1, 1e-12);
  }
}

TEST(Shear, MobilisesByJanosiAndHanamoto) {
  const ShearLaw law{.cohesion = 200, .tan_friction = 0.5, .modulus = 0.01};
  EXPECT_DOUBLE_EQ(law.strength(1e4), 5200);
  const Vec2 along(0.6, 0.8), nothing = Vec2::Zero();
  EXPECT_NEAR((law.bent(nothing, 0.01 * along) - 0.00632120558828558 * along).norm(), 0,
              1e-17);  // 1 - 1/e
  EXPECT_EQ(law.bent(0.003 * along, nothing), 0.003 * along);
  EXPECT_NEAR(law.bent(nothing, 100 * along).norm(), 0.01, 1e-17);
  // In one step or in many.
  Vec2 z = nothing;
  for (int k = 0; k < 100; ++k) z = law.bent(z, 1e-4 * along);
  EXPECT_NEAR((z - law.bent(nothing, 0.01 * along)).norm(), 0, 1e-16);
}

// Around any closed way soil takes work, and on any way it gives back no more than it stores: z²/2K per strength.
TEST(Shear, GivesBackWhatItStoresAtMost) {
  const ShearLaw law{.modulus = 0.01};
  Vec2 z = Vec2::Zero(), place = Vec2::Zero();
  double work = 0, least_later = 0;  // per strength [m]
  for (int k = 0; k < 20000; ++k) {
    const double t = 1e-3 * k;
    const Vec2 next = 0.03 * Vec2(std::sin(3 * t) * std::cos(t), std::sin(2 * t) - std::sin(5 * t));
    const Vec2 before = z, step = next - place;
    z = law.bent(z, step);
    place = next;
    work += 0.5 * (before + z).dot(step) / law.modulus;
    const double stored = z.squaredNorm() / (2 * law.modulus);
    EXPECT_GE(work - stored, least_later - 1e-15);  // what is lost never comes back; measured 0
    least_later = std::max(least_later, work - stored);
  }
  EXPECT_GT(work, 1);  // it was rubbed a lot
}

// dz = ds - z |ds|/K: turned back, by 1 + z/K times the way.
TEST(Shear, TurnsBackSteeply) {
  const ShearLaw law{.modulus = 0.01};
  const Vec2 slid = law.bent(Vec2::Zero(), Vec2(0.05, 0)), back = law.bent(slid, Vec2(-1e-6, 0));
  EXPECT_NEAR((slid.x() - back.x()) / 1e-6, 1 + slid.x() / 0.01, 1e-3);
}

// φ = 30°: N_q = 18.40 and tan² 60° = 3 (Prandtl and Reissner's factor as tabled in textbooks).
TEST(Shear, AWallWithstandsLessThanAPlate) {
  const ShearLaw law{.tan_friction = std::tan(30 * std::numbers::pi / 180)};
  EXPECT_NEAR(law.passive_part(), 3 / 18.40, 2e-5);
}

}  // namespace
}  // namespace grouser::internal
