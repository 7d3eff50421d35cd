#pragma once

#include "contact/wheel/ground_press.h"
#include "contact/wheel/wheel_state.h"

namespace grouser::internal {

/// TerRA: a wheel on an elevation map with slip sinkage as a state. States and structure after Barthelmes,
/// TerRA: Terramechanics for Real-time Application (2018): total sinkage z = z_eff + z_s, where z_eff carries
/// the load and z_s is dug by slip. The forms are ours (docs/theory/wheel.md):
///   z_s' = k_in v⁺ (1 - z_s/z_sat) - z_s/L_out · max(|v| - k_α v sin α, 0.2 |v|)
///          with v⁺ the speed of the rim beyond travel in its own direction, times z_eff/(z_eff + 0.02 r) and the
///          part 1 - e^(-j/K) of the soil's strength that is mobilised, and k_in and z_sat times (z_eff/0.1 r)^p
///   N    = b ℓ (1 - n/3) k z_effⁿ, with memory (PressLaw); ℓ that of z_eff + η z_s
///   T    = (c b ℓ + N tan φ) of which the travelling shear j' = v_s - (|v|/ℓ) j mobilises the mean
///   R    = compaction of z_eff, and bulldozing of z_s with no more than the wheel's own pressure, built up within
///          half a footprint of travel
/// Cannot: ruts, multi-pass, obstacles smaller than the wheel, torque about the normal.
struct TerraModel {
  double dig = 0.1;           ///< k_in: sinkage per way slid [-], >= 0
  double fill_length = 0.1;   ///< L_out: travel within which soil fills the hole [m], > 0
  double dig_limit = 0.325;   ///< z_sat / r [-], > 0
  double dig_load = 1;        ///< p: digging grows as (z_eff/0.1 r)^p [-], >= 0
  double slope_fill = 1;      ///< k_α: how much slower a hole fills uphill [-], >= 0
  double dug_traction = 0.1;  ///< η: of the slip sinkage that lengthens the footprint [-], 0 ... 1
  double pressure = 1;        ///< of Bekker's [-], > 0
  double strength = 1;        ///< of Mohr and Coulomb's [-], > 0
  double shear = 1;           ///< of K [-], > 0
  double compaction = 0.4;    ///< of Bekker's resistance [-], >= 0
  double bulldozing = 1;      ///< of Rankine's resistance, ahead and to the side [-], >= 0
  PressLaw press;
};

/// The reaction once the motion lasted dt [s] since the memory was written; the memory goes on.
WheelReaction react(const TerraModel& model, const WheelForm& wheel, const WheelSoil& soil,
                    const WheelMotion& motion, double dt, WheelMemory& memory);

}  // namespace grouser::internal
