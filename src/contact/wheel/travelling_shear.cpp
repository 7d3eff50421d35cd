#include "contact/wheel/travelling_shear.h"

#include <cmath>

namespace grouser::internal {

double mean_mobilised(double x) {
  if (x < 1e-3) return x / 2 - x * x / 6;
  return 1 + std::expm1(-x) / x;
}

}  // namespace grouser::internal
