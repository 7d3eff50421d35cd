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

double mean_mobilised(double x) {
  if (x < 1e-3) return x / 2 - x * x / 6;
  return 1 + std::expm1(-x) / x;
}

}  // namespace grouser
