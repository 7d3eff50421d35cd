#pragma once

#include "contact/wheel/ground_press.h"
#include "contact/wheel/wheel_state.h"

/// The classical rigid wheel in soft soil, after Bekker, Wong and Reece: given stresses along the contact,
/// forces are their integrals. Soil is not deformed.
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
namespace grouser::internal {

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

struct BwrBalance : WheelReaction {
  bool carried = true;  ///< whether the soil carries the load before the wheel is in to its axle
};

/// Throws Error(input) naming every value out of range, a soil too weak for this width among them.
void validate(const WheelForm& wheel, const Soil& soil, const BwrOptions& options);

/// In steady motion at a sinkage of 0 ... radius [m]. The arguments must be valid.
WheelReaction bwr_reaction(const WheelForm& wheel, const Soil& soil, const WheelTravel& travel,
                           double sinkage, const BwrOptions& options = {});

/// At the sinkage where the soil carries a load [N], >= 0: found by bisection to the last bit but a few.
/// If it does not, the reaction at a sinkage of one radius.
BwrBalance bwr_balance(const WheelForm& wheel, const Soil& soil, const WheelTravel& travel,
                       double load, const BwrOptions& options = {});

/// The same wheel in any motion, at rest too: the ways of rim and wheel within one footprint are states that
/// fade as the rim turns through it, D' = v - (|ω|/(θ_f - θ_r)) D, so that steadily they are those of the
/// formulas above; which end is the front follows from them within a quarter of the footprint, both
/// directions mixed in between. Lateral force acts against the wheel's motion to the side. Form ours.
struct BwrModel {
  BwrOptions stress;  ///< its gravity is not used
  PressLaw press;
};

WheelReaction react(const BwrModel& model, const WheelForm& wheel, const WheelSoil& soil,
                    const WheelMotion& motion, double dt, WheelMemory& memory);

}  // namespace grouser::internal
