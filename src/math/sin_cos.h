#pragma once

#include <cstddef>

namespace grouser::internal {

/// Sine and cosine of many angles [rad] at once, written so that the compiler uses vector
/// instructions: the joint angles of a rover cost about as much as two calls of the C library.
///
/// Absolute error below 2.3e-16 up to |x| = 10⁵; larger and non-finite angles go to the C library.
/// Payne & Hanek's problem is avoided by a two-part π/2 after Cody & Waite, Software Manual for the
/// Elementary Functions (1980); the polynomials are those of fdlibm's kernels (Sun, 1993).
void sin_cos(const double* x, std::size_t count, double* sin_x, double* cos_x);

}  // namespace grouser::internal
