#include "contact/laws/friction.h"

#include <gtest/gtest.h>

namespace grouser::internal {
namespace {

TEST(Friction, CoulombByHand) {
  const FrictionLaw law{.sliding = 0.4, .dead_band = 0.02};
  EXPECT_EQ(law.tangential(0), 0);
  EXPECT_NEAR(law.tangential(0.02), 0.4 * 0.7615941559557649, 1e-16);  // tanh 1
  EXPECT_NEAR(law.tangential(1), 0.4, 1e-16);
  // Creep on a slope of tan i < μ: where the law gives tan i.
  EXPECT_NEAR(law.tangential(0.02 * std::atanh(0.3 / 0.4)), 0.3, 1e-15);
}

TEST(Friction, StictionByHand) {
  const FrictionLaw law{
      .sliding = 0.4, .dead_band = 0.02, .stiction = true, .static_friction = 0.6, .decay = 50};
  EXPECT_EQ(law.tangential(0), 0);
  EXPECT_DOUBLE_EQ(law.tangential(0.01), 0.45);  // 0.6 (1 - 1/4)
  EXPECT_DOUBLE_EQ(law.tangential(0.02), 0.6);
  EXPECT_NEAR(law.tangential(0.02 - 1e-12), 0.6, 1e-12);              // no jump at v_d
  EXPECT_NEAR(law.tangential(0.04), 0.4 + 0.2 / std::exp(1), 1e-15);  // ξ (|v| - v_d) = 1
  EXPECT_NEAR(law.tangential(5), 0.4, 1e-15);
}

TEST(Friction, SlopeHoldsDownToRest) {
  for (const bool stiction : {false, true}) {
    const FrictionLaw law{
        .sliding = 0.4, .dead_band = 0.02, .stiction = stiction, .static_friction = 0.6};
    const double at_rest = law.tangential_over_speed(0);
    EXPECT_DOUBLE_EQ(at_rest, stiction ? 60 : 20);
    for (const double part : {1e-12, 0.99e-9, 1.01e-9, 1e-8}) {  // measured 5e-9
      EXPECT_NEAR(law.tangential_over_speed(part * 0.02) / at_rest, 1, 1e-8);
    }
    EXPECT_DOUBLE_EQ(law.tangential_over_speed(0.3), law.tangential(0.3) / 0.3);
  }
}

// Friction over the pressure p₀ √(1 - r²/a²), the integral by the midpoint rule in ρ = r/a.
TEST(Friction, SpinTorqueOfAHertzDisc) {
  const int n = 100000;
  double load = 0, torque = 0;
  for (int i = 0; i < n; ++i) {
    const double r = (i + 0.5) / n, pressure = std::sqrt(1 - r * r);
    load += pressure * r;
    torque += pressure * r * r;
  }
  EXPECT_NEAR(torque / load, spin_coefficient(ContactLaws::hertz), 1e-8);  // measured 3e-9
  EXPECT_DOUBLE_EQ(spin_coefficient(ContactLaws::paper), std::numbers::pi / 2);

  const FrictionLaw law{.sliding = 0.5, .dead_band = 0.01, .spin = 2};
  EXPECT_NEAR(law.spin_torque(1, 0.01), 0.01 * 0.7615941559557649, 1e-17);
  EXPECT_NEAR(law.spin_torque(1e6, 0.01), 0.01, 1e-17);
  EXPECT_EQ(law.spin_torque(0, 0.01), 0);
  EXPECT_EQ(law.spin_torque(3, 0), 0);
}

}  // namespace
}  // namespace grouser::internal
