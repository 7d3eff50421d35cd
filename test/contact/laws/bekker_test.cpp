#include "contact/laws/bekker.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "contact/laws/shear.h"

namespace grouser {
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
  EXPECT_NEAR(law.mobilised(0.01), 0.632120558828558, 1e-15);  // 1 - 1/e
  EXPECT_EQ(law.mobilised(0), 0);
  EXPECT_NEAR(law.saturated(Vec2(3, 4)).norm(), 0.05, 1e-15);
  EXPECT_EQ(law.saturated(Vec2(0.003, 0.004)), Vec2(0.003, 0.004));
}

// φ = 30°: N_q = 18.40 and tan² 60° = 3 (Prandtl and Reissner's factor as tabled in textbooks).
TEST(Shear, AWallWithstandsLessThanAPlate) {
  const ShearLaw law{.tan_friction = std::tan(30 * std::numbers::pi / 180)};
  EXPECT_NEAR(law.passive_part(), 3 / 18.40, 2e-5);
}

}  // namespace
}  // namespace grouser
