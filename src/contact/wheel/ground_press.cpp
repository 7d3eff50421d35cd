#include "contact/wheel/ground_press.h"

#include <algorithm>
#include <cmath>

#include "contact/laws/bekker.h"

namespace grouser::internal {

double rate_factor(double ratio) { return 1 + ratio / std::sqrt(1 + ratio * ratio); }

double press(const PressLaw& law, const WheelSoil& soil, double z, double rate, double sunk) {
  if (z <= 0) return 0;
  const BekkerLaw bekker{
      .stiffness = soil.stiffness, .exponent = soil.exponent, .unloading = law.unloading};
  return bekker.pressure(z, sunk) * rate_factor(law.unloading * law.delay * rate / z);
}

double sunk_after(const PressLaw& law, double sunk, double passed, double z) {
  const BekkerLaw bekker{.unloading = law.unloading};
  return std::max(sunk * (1 - passed), bekker.sunk_after(std::max(z, 0.0)));
}

}  // namespace grouser::internal
