#include "assets/exponential_integral.h"

#include <cassert>
#include <cmath>
#include <numbers>

#include "assets/portable_math.h"

namespace grouser::internal {
namespace {

/// Abramowitz & Stegun (1964), 5.1.11: E1 = -γ - ln x - Σ (-x)^k / (k k!).
double series(double x) {
  constexpr int kMostTerms = 40;  // 1 / 40! is beyond all digits for x <= 1
  double power = 1, sum = 0;
  for (int k = 1; k <= kMostTerms; ++k) {
    power *= -x / k;
    const double term = power / k;
    sum -= term;
    if (std::abs(term) < 1e-18) break;
  }
  return -std::numbers::egamma - portable::log(x) + sum;
}

/// The contracted continued fraction (5.1.22), E1 = e^-x / (x + 1 - 1² / (x + 3 - 2² / (x + 5 - ...))),
/// evaluated forward by the method of Lentz (1976).
double continued_fraction(double x) {
  constexpr int kMostTerms = 200;  // enough from x = 1 on
  double b = x + 1, c = 1e300, d = 1 / b, value = d;
  for (int k = 1; k <= kMostTerms; ++k) {
    const double a = -static_cast<double>(k) * k;
    b += 2;
    d = 1 / (a * d + b);
    c = b + a / c;
    const double factor = c * d;
    value *= factor;
    if (std::abs(factor - 1) < 1e-16) break;
  }
  return value * portable::exp(-x);
}

}  // namespace

double exponential_integral(double x) {
  assert(x > 0);
  return x <= 1 ? series(x) : continued_fraction(x);
}

}  // namespace grouser::internal
