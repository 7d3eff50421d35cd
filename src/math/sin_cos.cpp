#include "math/sin_cos.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace grouser::internal {
namespace {

constexpr double kLargest = 1e5;

/// sin(r) for |r| <= π/4.
inline double sin_kernel(double r) {
  const double z = r * r;
  const double p = 8.33333333332248946124e-03 +
                   z * (-1.98412698298579493134e-04 +
                        z * (2.75573137070700676789e-06 +
                             z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
  return r + r * z * (-1.66666666666666324348e-01 + z * p);
}

/// cos(r) for |r| <= π/4.
inline double cos_kernel(double r) {
  const double z = r * r;
  const double p =
      4.16666666666666019037e-02 +
      z * (-1.38888888888741095749e-03 +
           z * (2.48015872894767294178e-05 +
                z * (-2.75573143513906633035e-07 +
                     z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))));
  return 1 - (0.5 * z - z * z * p);
}

}  // namespace

void sin_cos(const double* x, std::size_t count, double* sin_x, double* cos_x) {
  constexpr double kTwoOverPi = 6.36619772367581382433e-01;
  constexpr double kHalfPiHigh = 1.57079632673412561417e+00;  // 33 bits: multiples are exact
  constexpr double kHalfPiLow = 6.07710050650619224932e-11;
  // Adding 1.5·2⁵² rounds to an integer, which then stands in the low bits of the sum.
  constexpr double kRounder = 6755399441055744.0;
  std::int64_t large = 0;  // not a bool: the loop shall become vector instructions
  for (std::size_t i = 0; i < count; ++i) {
    const double rounded = x[i] * kTwoOverPi + kRounder;
    const double n = rounded - kRounder;
    const std::int64_t quadrant = std::bit_cast<std::int64_t>(rounded);
    const double r = (x[i] - n * kHalfPiHigh) - n * kHalfPiLow;
    const double s = sin_kernel(r), c = cos_kernel(r);
    const bool swapped = (quadrant & 1) != 0;
    const double sine = swapped ? c : s, cosine = swapped ? s : c;
    sin_x[i] = (quadrant & 2) != 0 ? -sine : sine;
    cos_x[i] = ((quadrant + 1) & 2) != 0 ? -cosine : cosine;
    large |= std::abs(x[i]) <= kLargest ? 0 : 1;
  }
  if (large == 0) return;
  for (std::size_t i = 0; i < count; ++i) {
    if (std::abs(x[i]) <= kLargest) continue;
    sin_x[i] = std::sin(x[i]);
    cos_x[i] = std::cos(x[i]);
  }
}

}  // namespace grouser::internal
