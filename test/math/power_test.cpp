#include "math/power.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace grouser::internal {
namespace {

TEST(Power, AgreesWithLongDouble) {
  std::vector<double> base, exponent;
  for (const double y : {0.2, 0.63, 1.0, 1.1, 1.8, 16.0}) {
    for (double x = 1e-12; x < 10; x *= 1.0371) {
      base.push_back(x);
      exponent.push_back(y);
    }
  }
  std::vector<double> out(base.size());
  power(base.data(), exponent.data(), base.size(), out.data());
  double worst = 0;
  for (std::size_t i = 0; i < base.size(); ++i) {
    const long double exact = powl(base[i], exponent[i]);
    const double error = static_cast<double>(std::abs((out[i] - exact) / exact));
    worst = std::max(worst, error / (1 + std::abs(exponent[i] * std::log2(base[i]))));
  }
  EXPECT_LT(worst, 1e-15);
}

TEST(Power, OfZeroIsZeroAndOfOneIsOne) {
  const std::vector<double> base = {0, 1e-310, 1, 1}, exponent = {0.63, 1, 0.63, 16};
  std::vector<double> out(4);
  power(base.data(), exponent.data(), 4, out.data());
  EXPECT_EQ(out, std::vector<double>({0, 0, 1, 1}));
}

TEST(OneMinusExp, AgreesWithExpm1) {
  std::vector<double> x = {0};
  for (double value = 1e-18; value < 1e3; value *= 1.07) x.push_back(value);
  std::vector<double> out(x.size());
  one_minus_exp(x.data(), x.size(), out.data());
  EXPECT_EQ(out[0], 0);
  double worst = 0;
  for (std::size_t i = 1; i < x.size(); ++i) {
    const long double exact = -expm1l(-x[i]);
    worst = std::max(worst, static_cast<double>(std::abs((out[i] - exact) / exact)));
  }
  EXPECT_LT(worst, 1e-15);
}

}  // namespace
}  // namespace grouser::internal
