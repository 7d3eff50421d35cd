#include "assets/portable_math.h"

#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

#include "math/sin_cos.h"

namespace grouser::internal::portable {
namespace {

// ln 2 in two parts (fdlibm): multiples of the first by |n| < 2^20 are exact.
constexpr double kLn2High = 6.93147180369123816490e-01;
constexpr double kLn2Low = 1.90821492927058770002e-10;

}  // namespace

// x = n ln 2 + r with |r| <= ln 2 / 2, then the series of e^r, whose terms after the last are < 1e-17.
double exp(double x) {
  if (!(x < 709.7)) {
    return std::isnan(x) ? x : std::numeric_limits<double>::infinity();
  }
  if (x < -745) return 0;
  const double n = std::floor(x * std::numbers::log2e + 0.5);
  const double r = (x - n * kLn2High) - n * kLn2Low;
  constexpr int kTerms = 14;
  double sum = 1;  // of r^(k-1) / (k (k+1) ... ), from the last term up
  for (int k = kTerms; k >= 2; --k) sum = 1 + sum * r / k;
  return std::ldexp(1 + r * sum, static_cast<int>(n));
}

// x = m 2^e with m near 1, then log m = 2 artanh s, s = (m - 1) / (m + 1), |s| < 0.172.
double log(double x) {
  assert(x > 0);
  int e = 0;
  double m = std::frexp(x, &e);
  if (m < std::numbers::sqrt2 / 2) {
    m *= 2;
    --e;
  }
  const double f = m - 1;
  const double s = f / (m + 1), s2 = s * s;
  constexpr int kLast = 23;
  double sum = 0;  // of 2 s^2k / (2 k + 1), k >= 1
  for (int k = kLast; k >= 3; k -= 2) sum = s2 * (2.0 / k + sum);
  // 2 s = f - s f; written so that the leading term f is exact.
  return e * kLn2High + (f - (s * (f - sum) - e * kLn2Low));
}

double pow(double x, double y) { return exp(y * log(x)); }

SinCos sin_cos(double angle) {
  SinCos result;
  internal::sin_cos(&angle, 1, &result.sin, &result.cos);
  return result;
}

// Newton's method on sin, doubling the number of right digits per step; for large x through the
// complement, where the slope of sin is far from zero.
double asin(double x) {
  assert(std::abs(x) <= 1);
  if (std::abs(x) > 0.75) {
    const double rest = std::numbers::pi / 2 - 2 * asin(std::sqrt((1 - std::abs(x)) / 2));
    return x < 0 ? -rest : rest;
  }
  double angle = x * (1 + x * x / 6);
  for (int i = 0; i < 5; ++i) {
    const SinCos s = sin_cos(angle);
    angle -= (s.sin - x) / s.cos;
  }
  return angle;
}

}  // namespace grouser::internal::portable
