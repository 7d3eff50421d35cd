#include "contact/wheel/travelling_shear.h"

#include <algorithm>
#include <cmath>

namespace grouser {

Fading TravellingShear::fading(const Vec2& j, const Vec2& v) const {
  constexpr double kTurnRound = 2;  // in K
  const double length = j.norm();
  const double back = length > 0 ? std::max(0.0, -v.dot(j) / length) : 0;
  return {.rate = renewal + back / (kTurnRound * modulus), .settling = settling};
}

double settling_time(double first_way, double gravity, double tan_friction) {
  constexpr double kLeastGravity = 1e-6;  // [m/s²]: nothing rests on its ground there
  return 0.5 * std::sqrt(first_way / (std::max(gravity, kLeastGravity) * tan_friction));
}

double mean_mobilised(double x) {
  if (x < 1e-3) return x / 2 - x * x / 6;
  return 1 + std::expm1(-x) / x;
}

double built_up(double state, double v, double length, double dt) {
  if (v == 0 || dt <= 0) return state;
  const double passed = -std::expm1(-std::abs(v) * dt / length);
  return state + passed * (std::copysign(1.0, v) - state);
}

}  // namespace grouser
