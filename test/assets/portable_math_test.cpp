#include "assets/portable_math.h"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "core/rng.h"

namespace grouser::internal {
namespace {

// The C library is within one unit in the last place, and so an independent reference.
constexpr double kUlp = std::numeric_limits<double>::epsilon();

TEST(PortableMath, ExpAndLogAgreeWithTheLibrary) {
  CounterRng rng(1);
  for (int i = 0; i < 100000; ++i) {
    const double x = rng.uniform(-700, 700), y = rng.uniform(-2, 2);
    EXPECT_NEAR(portable::exp(x) / std::exp(x), 1, 2 * kUlp);  // measured 1 ulp
    EXPECT_NEAR(portable::exp(y) / std::exp(y), 1, 2 * kUlp);  // measured 1 ulp
    const double wide = std::exp(x), near_one = std::exp(y);
    EXPECT_NEAR(portable::log(wide) / std::log(wide), 1, 2 * kUlp);          // measured 1 ulp
    EXPECT_NEAR(portable::log(near_one) / std::log(near_one), 1, 2 * kUlp);  // measured 1 ulp
  }
}

TEST(PortableMath, Limits) {
  EXPECT_EQ(portable::exp(0), 1);
  EXPECT_EQ(portable::exp(-800), 0);
  EXPECT_EQ(portable::exp(800), INFINITY);
  EXPECT_TRUE(std::isnan(portable::exp(NAN)));
  EXPECT_EQ(portable::log(1), 0);
  EXPECT_EQ(portable::pow(2, 10), 1024);
  EXPECT_NEAR(portable::pow(3, -2.5), std::pow(3, -2.5), 1e-16);  // measured 4e-17
}

TEST(PortableMath, AngleFunctions) {
  for (int i = -1000; i <= 1000; ++i) {
    const double x = i / 1000.0;
    EXPECT_NEAR(portable::asin(x), std::asin(x), 2 * kUlp);  // measured 1 ulp of 1
    EXPECT_NEAR(portable::sin_cos(7 * x).sin, std::sin(7 * x), 2 * kUlp);
    EXPECT_NEAR(portable::sin_cos(7 * x).cos, std::cos(7 * x), 2 * kUlp);
  }
  EXPECT_EQ(portable::asin(1), std::numbers::pi / 2);
}

}  // namespace
}  // namespace grouser::internal
