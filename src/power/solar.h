#pragma once

#include "power/day.h"

namespace grouser::internal {

/// A flat solar panel that is fixed to a rover. The light on it:
///     G = S (T cos θ + d (1 - T) sin e),   T = exp(-τ / sin e)
/// with the elevation e of the sun, the angle θ between the sun and the panel's normal, and the part d of the
/// light lost from the beam that arrives from all over the sky. Nothing while the sun is below the horizon;
/// what the rover's own parts and the terrain shade is left out.
struct SolarSpec {
  double area = 1;              ///< of the cells [m²], > 0
  double efficiency = 0.28;     ///< of cells and converter [-], in (0, 1]
  double irradiance = 590;      ///< S above the atmosphere [W/m²], >= 0; Mars 493 to 718, mean 590
  double optical_depth = 0.5;   ///< τ of the atmosphere [-], >= 0; Mars 0.3 to 1, storms above 3
  double diffuse = 0.7;         ///< d [-], in [0, 1]
  double dust = 0;              ///< part of the light that dust on the panel takes at time 0 [-]
  double dust_per_day = 0;      ///< more of it a day, of what still arrives [-]
  Vec3 normal = Vec3::UnitZ();  ///< of the panel, in the frame of the chassis; unit
};

/// Electrical power [W] of a panel on a chassis with attitude `R_WC`.
double solar_power(const SolarSpec& panel, const Day& day, double time, const Mat3& R_WC);

}  // namespace grouser::internal
