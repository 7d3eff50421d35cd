#pragma once

#include <algorithm>
#include <cmath>

namespace grouser::internal {

/// Bekker's law of pressure and sinkage with plastic memory: p = k zⁿ while the soil is pressed deeper
/// than ever before; below that it answers elastically, along a straight line that is steeper than the
/// secant of the curve by a constant factor.
/// Bekker, Introduction to Terrain-Vehicle Systems (1969); unloading after Wong, Theory of Ground
/// Vehicles, 4th ed. (2008), who measures the line: ours is a fixed multiple of the secant p/z.
struct BekkerLaw {
  double stiffness = 1e6;  ///< k = k_c/b + k_φ [N/m^(n+2)], > 0
  double exponent = 1;     ///< n [-], > 0
  double unloading = 20;   ///< slope of the elastic line / secant of the curve [-], > max(1, n)

  /// On the curve, at sinkage z [m] >= 0 [Pa].
  double virgin_pressure(double z) const { return stiffness * std::pow(z, exponent); }

  /// At sinkage z of soil that, unloaded, stays sunk by `sunk`, both [m] >= 0: nothing down to there,
  /// then along the elastic line up to the curve, then on the curve.
  double pressure(double z, double sunk) const {
    const double deepest = std::max(z, deepest_before(sunk));
    return virgin_pressure(deepest) * elastic_part(z, deepest);
  }

  /// Pressure at sinkage z as a part of that at the deepest sinkage so far, 0 ... 1.
  double elastic_part(double z, double deepest) const {
    return deepest > 0 ? std::max(0.0, 1 - unloading * (1 - z / deepest)) : 0;
  }

  /// How far soil stays sunk once it was pressed down to z [m].
  double sunk_after(double z) const { return z * (1 - 1 / unloading); }
  /// How far soil was pressed that stays sunk by `sunk` [m].
  double deepest_before(double sunk) const { return sunk * unloading / (unloading - 1); }

  /// Work per area [J/m²] of pressing virgin soil down to z: k zⁿ⁺¹/(n + 1).
  double work(double z) const { return virgin_pressure(z) * z / (exponent + 1); }
};

}  // namespace grouser::internal
