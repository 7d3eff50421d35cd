#pragma once

#include "contact/wheel/ground_press.h"
#include "contact/wheel/wheel_state.h"

/// Bekker's wheel and its variant with Janosi and Hanamoto's shear. Bekker, Theory of Land Locomotion (1956);
/// Janosi & Hanamoto (1961). With k = k_c/b + k_φ, D = 2r and ℓ the contact's length:
///   W   = b k √D (1 - n/3) z^(n + ½)           load that a sinkage z carries, with memory (PressLaw)
///   H   = b ℓ c + W tan φ                      thrust at full mobilisation
///   R   = b k zⁿ⁺¹/(n + 1) + bulldozing         resistance, built up within half a footprint of travel
namespace grouser::internal {

/// Full thrust as soon as the wheel slips: a short elastic way stands for a step in speed, so that a wheel
/// holds still on a slope.
struct BekkerModel {
  double grip = 0.002;  ///< way of slip within which 63 % of the thrust are there [m], > 0
  PressLaw press;
};

/// Thrust H [1 - K/j (1 - e^(-j/K))], j the travelling shear, steadily s ℓ.
struct BjhModel {
  PressLaw press;
};

WheelReaction react(const BekkerModel& model, const WheelForm& wheel, const WheelSoil& soil,
                    const WheelMotion& motion, double dt, WheelMemory& memory);
WheelReaction react(const BjhModel& model, const WheelForm& wheel, const WheelSoil& soil,
                    const WheelMotion& motion, double dt, WheelMemory& memory);

/// Load [N] over z^(n + ½).
double bekker_load_factor(const WheelForm& wheel, const WheelSoil& soil);

/// Sinkage [m] under a load [N]: [3W/(b (3 - n) k √D)]^(2/(2n + 1)).
double bekker_sinkage(const WheelForm& wheel, const WheelSoil& soil, double load);

/// Resistance of compaction at a sinkage [m]: b k zⁿ⁺¹/(n + 1) [N].
double compaction_resistance(const WheelForm& wheel, const WheelSoil& soil, double z);

}  // namespace grouser::internal
