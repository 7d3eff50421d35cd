#pragma once

#include "sim/world.h"

namespace grouser::internal {

/// Cubes of 0.2 m and 1 kg in rows, columns and layers.
struct CubesSpec {
  int rows = 5, columns = 5, layers = 4;
  double loose =
      0;  ///< 0: close together; else they have gaps and are shifted at random by up to this [m]
};

/// Such cubes above a floor, friction 0.5, time stepping of 5 ms.
World cubes_on_floor(const CubesSpec& spec);

}  // namespace grouser::internal
