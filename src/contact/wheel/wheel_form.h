#pragma once

#include "core/error.h"
#include "terrain/soil.h"

namespace grouser::internal {

/// A cylinder, with bars or without.
struct WheelForm {
  double radius = 0.1;        ///< r, without grousers [m], > 0
  double width = 0.1;         ///< b [m], > 0
  double grouser_height = 0;  ///< [m], >= 0

  /// Of the grousers' tips, where shear acts [m].
  double shear_radius() const { return radius + grouser_height; }
};

/// A soil under a wheel of one width, as the laws want it.
struct WheelSoil {
  double exponent = 1;           ///< n [-]
  double stiffness = 1e6;        ///< k_c/b + k_φ [N/m^(n+2)]
  double cohesion = 0;           ///< c [Pa]
  double tan_friction = 0.5;     ///< tan φ [-]
  double shear_modulus = 0.015;  ///< K [m]
  double gravity = 9.80665;      ///< [m/s²]
  double weight = 16e3;          ///< γ = ρ g [N/m³]
  double passive = 3;          ///< K_p = tan²(45° + φ/2) of Rankine's passive earth pressure [-]
  double root_passive = 1.73;  ///< its root [-]
  /// √(2 K/(g tan φ)) [s]: within that a wheel that stands rocks through one radian, whatever its load.
  double rocking = 0.1;
  double side_cohesion = 0;  ///< D1 c of the soil that a side face pushes, after Hegedus [Pa]
  double side_weight = 0;    ///< D1 D2 ρ g of it [N/m³]
};

/// `gravity` is that of the soil [m/s²], >= 0.
WheelSoil wheel_soil(const Soil& soil, const WheelForm& wheel, double gravity);

/// Reports a parameter that is not legal, with the range it should be in.
struct RangeCheck {
  IssueList& issues;
  void operator()(const char* field, double value, bool legal, const char* range) const;
};

/// Throws Error(input) naming every value out of range, a soil too weak for this width among them.
void validate(const WheelForm& wheel, const Soil& soil);

/// Length of the contact of a cylinder sunk by z [m]: √(2 r z - z²), and r from its axle on.
double contact_length(const WheelForm& wheel, double z);

/// Force [N] that it takes to push soil ahead of a face of width b [m] that reaches z [m] deep:
/// b (½ γ z² K_p + 2 c z √K_p). Rankine (1857).
double bulldozing(const WheelSoil& soil, double width, double z);

}  // namespace grouser::internal
