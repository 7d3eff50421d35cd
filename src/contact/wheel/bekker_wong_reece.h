#pragma once

#include "terrain/soil.h"

/// The classical rigid wheel in soft soil, after Bekker, Wong and Reece: given stresses along the contact,
/// forces are their integrals. Soil is not deformed and nothing is remembered; all functions are pure.
///
/// With θ from straight below forward, r the radius, h the sinkage, s the slip and β the slip angle:
///     θ_f = acos(1 - h/r),  θ_r = -acos(1 - λ h/r),  θ_m = (a0 + a1 s) θ_f
///     σ(θ) = (k_c/b + k_φ) rⁿ (cos θ* - cos θ_f)ⁿ,  θ* = θ ahead of θ_m, else the angle ahead of it that
///            is as far along from θ_m to θ_f as θ is from θ_m to θ_r
///     τ(θ) = (c + σ tan φ)(1 - e^(-|j|/K)) along j, the way of the rim against the soil since θ_f
/// Wong & Reece, J. Terramechanics 4 (1967) 81-98 and 7-25; Janosi & Hanamoto (1961). Sideways, soil is
/// also pushed by the side face: Ishigami et al., J. Field Robotics 24 (2007) 233-250, after Hegedus.
/// Differs: j is one vector, so that longitudinal and lateral shear share one strength; what the side face
/// pushes is mobilised by the lateral part of j, so that the lateral force vanishes smoothly with β; shear
/// acts at the grousers' tips.
namespace grouser {

/// A cylinder, with bars or without.
struct WheelForm {
  double radius = 0.1;        ///< r, without grousers [m], > 0
  double width = 0.1;         ///< b [m], > 0
  double grouser_height = 0;  ///< [m], >= 0
};

struct BwrOptions {
  double peak = 0.4;  ///< a0: where the pressure is highest, over θ_f, at no slip [-], >= 0
  double peak_per_slip = 0.15;  ///< a1 [-], >= 0; a0 - a1 >= 0 and a0 + a1 <= 1
  double rear = 0.1;            ///< λ: sinkage at the exit / sinkage [-], 0 ... 1
  double gravity = 9.80665;     ///< of the soil that the side face pushes [m/s²], >= 0
};

/// How the wheel moves.
struct WheelTravel {
  double slip = 0;  ///< s: driving 1 - v/(ωr), braking ωr/v - 1, with v along the heading; -1 ... 1
  double slip_angle = 0;  ///< β: heading against travel, left positive [rad], within ±89°
};

/// Of the soil on the wheel, in the wheel's own axes.
struct BwrReaction {
  double pull = 0;     ///< along the heading [N]
  double lateral = 0;  ///< along the axle, to the left [N]; has the sign of the slip angle
  double normal = 0;   ///< upward [N]
  double torque = 0;   ///< that the drive needs, forward positive [N m]
  double sinkage = 0;  ///< h, of the rim without grousers [m]
};

struct BwrBalance : BwrReaction {
  bool carried = true;  ///< whether the soil carries the load before the wheel is in to its axle
};

/// Throws Error(input) naming every value out of range, a soil too weak for this width among them.
void validate(const WheelForm& wheel, const Soil& soil, const BwrOptions& options);

/// At a sinkage of 0 ... radius [m]. The arguments must be valid.
BwrReaction bwr_reaction(const WheelForm& wheel, const Soil& soil, const WheelTravel& travel,
                         double sinkage, const BwrOptions& options = {});

/// At the sinkage where the soil carries a load [N], >= 0: found by bisection to the last bit but a few.
/// If it does not, the reaction at a sinkage of one radius.
BwrBalance bwr_balance(const WheelForm& wheel, const Soil& soil, const WheelTravel& travel,
                       double load, const BwrOptions& options = {});

}  // namespace grouser
