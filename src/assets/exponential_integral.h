#pragma once

namespace grouser::internal {

/// E1(x) = ∫ e^-t / t dt from x > 0 to infinity; relative error below 1e-14. The same on every machine.
double exponential_integral(double x);

}  // namespace grouser::internal
