#include "assets/exponential_integral.h"

#include <cmath>

#include <gtest/gtest.h>

namespace grouser::internal {
namespace {

// Abramowitz & Stegun (1964), tables 5.1 and 5.2.
TEST(ExponentialIntegral, TableValues) {
  EXPECT_NEAR(exponential_integral(0.1) / 1.822923958419391, 1, 1e-14);      // measured 2e-16
  EXPECT_NEAR(exponential_integral(0.5) / 0.559773594776160, 1, 1e-14);      // measured 1.6e-15
  EXPECT_NEAR(exponential_integral(1.0) / 0.219383934395520, 1, 1e-14);      // measured 2e-15
  EXPECT_NEAR(exponential_integral(2.0) / 4.890051070806112e-2, 1, 1e-14);   // measured 1.1e-15
  EXPECT_NEAR(exponential_integral(10.0) / 4.156968929685324e-6, 1, 1e-14);  // measured 4e-16
}

// The two formulas meet at 1, and dE1/dx = -e^-x / x on both sides.
TEST(ExponentialIntegral, DerivativeIsTheIntegrand) {
  for (const double x : {0.01, 0.3, 0.9999, 1.0001, 3.0, 30.0}) {
    const double h = 1e-4 * x;
    const double slope = (exponential_integral(x + h) - exponential_integral(x - h)) / (2 * h);
    EXPECT_NEAR(slope / (-std::exp(-x) / x), 1, 1e-5);  // measured 1.6e-6, of order h²
  }
}

TEST(ExponentialIntegral, FarOut) { EXPECT_EQ(exponential_integral(1000), 0); }

}  // namespace
}  // namespace grouser::internal
