#pragma once

#include <cmath>
#include <numbers>

#include "contact/laws/hunt_crossley.h"

namespace grouser::internal {

/// Bengisu and Akay's friction, for materials that should stick.
struct Stiction {
  double friction = 0.6;  ///< μ_s [-], >= the sliding friction
  double decay = 100;     ///< ξ [s/m], >= 0

  friend bool operator==(const Stiction&, const Stiction&) = default;
};

/// Friction of two bodies in contact. Both laws vanish with the speed, so that forces are continuous:
/// what should stick creeps, at less than v_d or so.
struct FrictionLaw {
  double sliding = 0.5;                     ///< μ [-], >= 0
  double dead_band = 0.01;                  ///< v_d [m/s], > 0
  bool stiction = false;                    ///< Bengisu and Akay's law, which uses the fields below
  double static_friction = 0;               ///< μ_s [-], >= μ
  double decay = 0;                         ///< ξ of the fall from μ_s to μ [s/m], >= 0
  double spin = 3 * std::numbers::pi / 16;  ///< κ of the torque about the normal [-]

  /// Tangential force over normal force [-] at sliding speed |v_T| [m/s] >= 0.
  /// Coulomb: μ tanh(|v_T|/v_d). Stiction: up the parabola μ_s (1 - (|v_T|/v_d - 1)²) to v_d, then
  /// μ + (μ_s - μ) e^(-ξ (|v_T| - v_d)); Bengisu & Akay, J. Sound Vib. 171 (1994).
  double tangential(double speed) const {
    if (!stiction) return sliding * std::tanh(speed / dead_band);
    if (speed >= dead_band) {
      return sliding + (static_friction - sliding) * std::exp(-decay * (speed - dead_band));
    }
    const double part = speed / dead_band;
    return static_friction * part * (2 - part);
  }

  /// tangential(|v_T|)/|v_T| [s/m], also in the limit of no speed.
  double tangential_over_speed(double speed) const {
    constexpr double kStill = 1e-9;  // of v_d: the law is straight there to the last bit
    if (speed > kStill * dead_band) return tangential(speed) / speed;
    return (stiction ? 2 * static_friction : sliding) / dead_band;
  }

  /// Torque about the normal over normal force [m], κ μ a tanh(a|ω_N|/v_d), at spin |ω_N| [rad/s] >= 0
  /// and radius a = √(Rδ) of the touching disc [m].
  double spin_torque(double rate, double disc) const {
    return spin * sliding * disc * std::tanh(disc * rate / dead_band);
  }
};

/// κ of the spin torque [-]. Sliding friction over the pressure p₀ √(1 - r²/a²) of Hertz contact gives
/// ∫ μ p r dA = 3π/16 μ F a; the paper has π/2.
inline constexpr double spin_coefficient(ContactLaws laws) {
  return laws == ContactLaws::paper ? std::numbers::pi / 2 : 3 * std::numbers::pi / 16;
}

}  // namespace grouser::internal
