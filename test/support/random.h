#pragma once

#include "core/rng.h"
#include "math/spatial.h"

namespace grouser::internal {

/// Three independent standard normal numbers: any direction alike.
inline Vec3 random_vector(CounterRng& rng) {
  const double x = rng.normal(), y = rng.normal();
  return {x, y, rng.normal()};
}

/// Any rotation alike.
inline Mat3 random_rotation(CounterRng& rng) {
  const double w = rng.normal(), x = rng.normal(), y = rng.normal();
  return Quat(w, x, y, rng.normal()).normalized().toRotationMatrix();
}

}  // namespace grouser::internal
