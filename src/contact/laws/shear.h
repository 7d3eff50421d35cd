#pragma once

#include <cmath>
#include <numbers>

#include "math/spatial.h"

namespace grouser::internal {

/// Shear strength of soil and how it is mobilised by sliding. The state is a vector z, how far the soil is bent
/// over before it slides, shorter than K:
///     τ = (c + p tan φ) z/K,    dz = ds - z |ds|/K,    ds the way that a surface slides over it.
/// Straight on from z = 0 this is τ = (c + p tan φ)(1 - e^(-s/K)): Mohr & Coulomb; Janosi & Hanamoto (1961). Turned
/// back, the stress falls at once, 1 + z/K times as steeply as it first rose, and no more comes back than c + p tan φ
/// times z²/2K. The equation for z is that of Dahl, A solid friction model, Aerospace Corporation TOR-0158 (1968).
struct ShearLaw {
  double cohesion = 0;        ///< c [Pa], >= 0
  double tan_friction = 0.5;  ///< tan φ [-], >= 0
  double modulus = 0.015;     ///< K [m], > 0

  double strength(double pressure) const { return cohesion + pressure * tan_friction; }

  /// z [m] after sliding straight on by a step [m].
  Vec2 bent(const Vec2& z, const Vec2& step) const {
    const double s = step.norm() / modulus, left = std::exp(-s);
    return left * z + (s > 0 ? -std::expm1(-s) / s : 1) * step;
  }

  /// What an upright wall of soil withstands when it is pushed, over what a plate bears that is pressed down
  /// at the same depth [-]. Under a surcharge q the plate bears q tan²(45° + φ/2) e^(π tan φ) (Prandtl 1920,
  /// Reissner 1924), the wall q tan²(45° + φ/2) (Rankine 1857).
  double passive_part() const { return std::exp(-std::numbers::pi * tan_friction); }
};

}  // namespace grouser::internal
