#include "math/power.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace grouser::internal {
namespace {

constexpr double kTwo52 = 0x1p52;

/// 2^n for a whole n in [-1022, 1023].
inline double two_to(double n) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(n + (kTwo52 + 1023)) << 52U);
}

/// The nearest whole number, for |x| < 2^51.
inline double nearest(double x) { return (x + 1.5 * kTwo52) - 1.5 * kTwo52; }

/// log2 of a normal number: x = m 2^e with m in [√½, √2), log m = 2 artanh s, s = (m - 1) / (m + 1).
inline double log2_of(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  double m = std::bit_cast<double>((bits & 0x000fffffffffffffU) | 0x3ff0000000000000U);
  double e = std::bit_cast<double>((bits >> 52U) | 0x4330000000000000U) - (kTwo52 + 1023);
  const bool upper = m > std::numbers::sqrt2;
  m = upper ? 0.5 * m : m;
  e = upper ? e + 1 : e;
  const double s = (m - 1) / (m + 1), q = s * s;
  // (log m - 2 s) / (s q), for |s| < 0.172: the polynomial through its values at Chebyshev's nodes, which
  // is off by less than 1e-17 in log m / s.
  double sum = 0.14616449685043406;
  sum = 0.15331721600556042 + q * sum;
  sum = 0.18182889125261723 + q * sum;
  sum = 0.2222221113479508 + q * sum;
  sum = 0.28571428625975487 + q * sum;
  sum = 0.39999999999899505 + q * sum;
  sum = 0.666666666666667 + q * sum;
  return e + (2 * s + s * q * sum) * std::numbers::log2e;
}

/// (e^r - 1) / r for |r| <= ½ ln 2: the polynomial through its values at Chebyshev's nodes. What it is off
/// changes e^r by less than 1e-17.
inline double exp_tail(double r) {
  double sum = 2.510520637395701e-08;
  sum = 2.7626357241447223e-07 + r * sum;
  sum = 2.7557255425746435e-06 + r * sum;
  sum = 2.4801504346997686e-05 + r * sum;
  sum = 0.00019841269874800493 + r * sum;
  sum = 0.0013888888932488599 + r * sum;
  sum = 0.008333333333326141 + r * sum;
  sum = 0.04166666666657314 + r * sum;
  sum = 0.1666666666666667 + r * sum;
  sum = 0.5000000000000006 + r * sum;
  return 1 + r * sum;
}

}  // namespace

void power(const double* base, const double* exponent, std::size_t count, double* out) {
  for (std::size_t i = 0; i < count; ++i) {
    const bool none = base[i] < 1e-300;
    const double t = exponent[i] * log2_of(none ? 1.0 : base[i]);
    const double n = nearest(t);
    const double r = (t - n) * std::numbers::ln2;
    const double value = two_to(n) * (1 + r * exp_tail(r));
    out[i] = none ? 0.0 : value;
  }
}

void one_minus_exp(const double* x, std::size_t count, double* out) {
  for (std::size_t i = 0; i < count; ++i) {
    const double t = x[i] < 700 ? x[i] : 700.0;
    const double n = nearest(t * std::numbers::log2e);
    // ln 2 in two parts, so that n times the first is exact.
    const double r = (n * 6.93147180369123816490e-01 - t) + n * 1.90821492927058770002e-10;
    const double scale = two_to(-n);
    out[i] = (1 - scale) - scale * (r * exp_tail(r));
  }
}

}  // namespace grouser::internal
