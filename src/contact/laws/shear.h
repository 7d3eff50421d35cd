#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/spatial.h"

namespace grouser {

/// Shear strength of soil and how it is mobilised by sliding,
///     τ = (c + p tan φ)(1 - e^(-|j|/K)),
/// against the shear displacement j. Mohr & Coulomb; Janosi & Hanamoto (1961).
struct ShearLaw {
  double cohesion = 0;        ///< c [Pa], >= 0
  double tan_friction = 0.5;  ///< tan φ [-], >= 0
  double modulus = 0.015;     ///< K [m], > 0

  double strength(double pressure) const { return cohesion + pressure * tan_friction; }

  /// Part of the strength that a shear displacement of length j [m] mobilises [-].
  double mobilised(double j) const { return -std::expm1(-j / modulus); }

  /// What an upright wall of soil withstands when it is pushed, over what a plate bears that is pressed down
  /// at the same depth [-]. Under a surcharge q the plate bears q tan²(45° + φ/2) e^(π tan φ) (Prandtl 1920,
  /// Reissner 1924), the wall q tan²(45° + φ/2) (Rankine 1857).
  double passive_part() const { return std::exp(-std::numbers::pi * tan_friction); }

  /// Beyond this length a shear displacement mobilises no more than 1 - e^-5 anyway; kept within it, the
  /// stress follows a change of direction after 5 K of sliding, however long the soil slid before.
  Vec2 saturated(const Vec2& j) const {
    const double length = j.norm(), limit = 5 * modulus;
    return length > limit ? Vec2(j * (limit / length)) : j;
  }
};

}  // namespace grouser
