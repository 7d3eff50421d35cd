#pragma once

/// Elementary functions made of operations that IEEE 754 rounds in one way only (+ - * / and scaling
/// by powers of two), so that assets are the same bytes whatever C library a machine has. Each is
/// within 2 units in the last place of the true value where not said otherwise.
namespace grouser::internal::portable {

double exp(double x);
double log(double x);            ///< x > 0
double pow(double x, double y);  ///< x > 0; relative error grows with |y log x|, 2e-16 for each 1

struct SinCos {
  double sin, cos;
};
SinCos sin_cos(double angle);  ///< [rad], |angle| <= 1e5
double asin(double x);         ///< in [-π/2, π/2]; |x| <= 1

}  // namespace grouser::internal::portable
