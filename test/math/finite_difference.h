#pragma once

#include <type_traits>

namespace grouser::internal {

/// df/dt at t = 0 by the central difference of order eight: f(t) may be a number or an Eigen matrix.
/// Truncation is h⁸ f⁽⁹⁾/630, rounding about 1e-16 f/h; the default step suits what varies over
/// times of about 0.1 and longer.
template <class F>
auto derivative(F&& f, double h = 2e-3) {
  using Value = std::decay_t<decltype(f(h))>;
  const auto difference = [&f, h](int k) { return Value(f(k * h) - f(-k * h)); };
  const Value sum = 4.0 / 5 * difference(1) - 1.0 / 5 * difference(2) + 4.0 / 105 * difference(3) -
                    1.0 / 280 * difference(4);
  return Value(sum / h);
}

}  // namespace grouser::internal
