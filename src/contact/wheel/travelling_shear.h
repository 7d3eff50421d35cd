#pragma once

#include <cmath>

#include "math/spatial.h"

/// Shear of the soil under a wheel as one state that travels with it. Fresh soil comes in at the front as
/// the wheel moves on, so that the displacement j at the rear end obeys j' = v - ρ j, v the slip velocity
/// and ρ the rate at which the footprint is renewed; along the footprint it grows from 0 to j. Form ours.
namespace grouser::internal {

/// What one state, or several that go together, obey.
struct Fading {
  double rate = 0;  ///< ρ [1/s]
  double settling =
      0;  ///< t: of the viscous answer [s], which damps a wheel that rocks in its place

  /// x after dt [s], of which a part, faded(ρ dt), has faded. Keeps the steady v/ρ of a constant speed v.
  template <class T>
  T after(const T& x, const T& v, double dt, double faded) const {
    const double gain = rate > 0 ? faded / rate : dt;
    return x + gain * v - faded * x;
  }
  /// x + t x', with t shortened to t/(1 + t ρ) so that both parts keep their sign. Steadily it is x.
  template <class T>
  T felt(const T& x, const T& v) const {
    return (x + v * settling) / (1 + settling * rate);
  }
};

/// Shear j [m] that grows by v [m/s].
struct TravellingShear {
  double renewal = 0;  ///< of the footprint [1/s]
  double modulus = 0;  ///< K [m]
  double settling =
      0;  ///< [s]; half the time of rocking through a radian is a quarter of the critical damping

  /// Renewal, and sliding back, which takes shear off at |v|/(2 K): soil that was sheared far turns round
  /// within some K, not after all the way it went.
  Fading fading(const Vec2& j, const Vec2& v) const {
    constexpr double kTurnRound = 2;  // in K
    const double along = v.dot(j);
    const double back = along < 0 ? -along / (kTurnRound * modulus * j.norm()) : 0;
    return {.rate = renewal + back, .settling = settling};
  }
  Vec2 felt(const Vec2& j, const Vec2& v) const { return fading(j, v).felt(j, v); }
};

/// Mean of 1 - e^(-x) from 0 to x: 1 - (1 - e^(-x))/x, of the strength that is mobilised along the footprint.
double mean_mobilised(double x);

/// Along j, of the length that `mobilised` gives for its length in K [-].
template <class Mobilised>
Vec2 direction_times(const Vec2& j, double modulus, Mobilised&& mobilised) {
  const double length = j.norm();
  return length > 0 ? Vec2(mobilised(length / modulus) / length * j) : Vec2(0, 0);
}

/// State -1 ... 1 that goes to the sign of v; `passed` (0 ... 1) of the way there.
inline double built_up(double state, double v, double passed) {
  return v == 0 ? state : state + passed * (std::copysign(1.0, v) - state);
}

/// What fades along a way of x lengths: 1 - e^(-x) by Padé's approximation (6x + x²)/(6 + 4x + x²), which like it
/// rises from 0 to 1. Wrong by x³/72 of itself at first, by 0.7 % of the whole at most.
inline double faded(double x) { return x * (6 + x) / (6 + x * (4 + x)); }

/// √(x² + y²) where neither can overflow.
inline double length_of(double x, double y) { return std::sqrt(x * x + y * y); }

}  // namespace grouser::internal
