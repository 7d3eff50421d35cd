#pragma once

#include "contact/wheel/wheel_form.h"

namespace grouser::internal {

/// How ground gives way under a wheel, beside the soil's own parameters. The elastic line is that of
/// BekkerLaw; a rate of sinking changes the pressure by a factor 1 + x/√(1 + x²) between 0 and 2,
/// x = u t ż/z, which is viscous for small x, never pulls and vanishes with the depth. Form ours.
struct PressLaw {
  double unloading = 10;  ///< u: slope of the elastic line / secant of the curve [-], > max(1, n)
  double delay = 0.004;   ///< t: of the elastic answer [s], >= 0
};

/// Factor of pressure at a ratio of viscous to elastic pressure, 0 ... 2.
double rate_factor(double ratio);

/// Pressure k zⁿ under the lowest point [Pa] at depth z [m] and its rate [m/s], on soil that stays sunk by
/// `sunk` [m]; none for z <= 0.
double press(const PressLaw& law, const WheelSoil& soil, double z, double rate, double sunk);

/// How far soil stays sunk that was `sunk` [m], of which a part (0 ... 1) was passed by, then pressed to z [m].
double sunk_after(const PressLaw& law, double sunk, double passed, double z);

}  // namespace grouser::internal
