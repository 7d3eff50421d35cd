#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace grouser::internal {

/// Which form the laws of body contact take, where the paper and contact mechanics differ.
///   hertz: stiffness and spin torque of Hertz contact; damping that gives the stated restitution.
///   paper: twice the effective modulus, κ = π/2 instead of 3π/16 (friction.h), and the damping as
///          printed, which rebounds too little (dissipation_number()).
enum class ContactLaws { hertz, paper };
inline constexpr std::array<const char*, 2> kContactLawsNames = {"hertz", "paper"};

/// 2ab/(a + b) for a, b >= 0; 0 if either is.
inline double harmonic_mean(double a, double b) { return a + b > 0 ? 2 * a * b / (a + b) : 0; }

/// E* of two materials [Pa]: 1/E* = (1 - ν₁²)/E₁ + (1 - ν₂²)/E₂ (Hertz); the paper halves that sum.
inline double effective_modulus(ContactLaws laws, double young_a, double poisson_a, double young_b,
                                double poisson_b) {
  const double compliance =
      (1 - poisson_a * poisson_a) / young_a + (1 - poisson_b * poisson_b) / young_b;
  return 1 / (laws == ContactLaws::paper ? 0.5 * compliance : compliance);
}

/// k = 4/3 √R E* [N/m^1.5] at the effective radius R [m], 1/R = 1/R₁ + 1/R₂.
inline double hertz_stiffness(double modulus, double radius) {
  return 4.0 / 3.0 * std::sqrt(radius) * modulus;
}

/// A lower restitution counts as this one: it would ask for damping without bound, and a rebound of a
/// hundredth is none to the eye.
inline constexpr double kLeastRestitution = 0.01;
/// A slower approach counts as this one [m/s], since the damping of a touch goes with 1/speed: bodies
/// that are laid down gently would stand on dampers stiffer than their springs.
inline constexpr double kLeastImpactSpeed = 0.01;

namespace detail {

/// [x (1 + e) - ln(1 + x) + ln(1 - e x)] / x² for 0 < x < 1/e; by its series where the terms cancel.
inline double rebound_defect(double e, double x) {
  if (x > 0.05) return (x * (1 + e) - std::log1p(x) + std::log1p(-e * x)) / (x * x);
  double sum = 0, sign = 1, power_e = e * e, power_x = 1;
  for (int k = 2; k < 16; ++k) {  // the rest is below 0.05¹⁴
    sum += (sign - power_e) * power_x / k;
    sign = -sign;
    power_e *= e;
    power_x *= x;
  }
  return sum;
}

}  // namespace detail

/// d δ̇⁻ [-]: the damping of (1 + d δ̇) that lets bodies part with ζ times the speed δ̇⁻ of their approach.
///
/// hertz: from m δ̈ = -k δ^1.5 (1 + d δ̇) follows ψ(δ̇⁻) = ψ(-ζ δ̇⁻) with ψ(v) = d v - ln(1 + d v) for any
/// m and k, hence x = d δ̇⁻ solves x (1 + ζ) = ln((1 + x)/(1 - ζ x)). It is 3/2 (1 - ζ) for ζ near 1 and
/// 1/ζ for small ζ. Found by bisection: once per pair of materials.
/// paper: x = 8/5 (1 - ζ)/ζ, after Flores et al., Multibody Syst. Dyn. 25 (2011). Rebounds with 0.962 ζ
/// at ζ = 0.6, 0.854 ζ at 0.3 and 0.66 ζ at 0.05.
inline double dissipation_number(ContactLaws laws, double restitution) {
  const double e = std::max(restitution, kLeastRestitution);
  if (e >= 1) return 0;
  if (laws == ContactLaws::paper) return 1.6 * (1 - e) / e;
  double low = 0, high = 1 / e;  // the defect is positive below the root
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (detail::rebound_defect(e, middle) > 0 ? low : high) = middle;
  }
  return low;
}

/// Factor of the elastic force, (1 + d δ̇)₊ with d = x/δ̇⁻: contact never pulls. `impact_speed` δ̇⁻ > 0 and
/// `depth_rate` δ̇ (positive closing) in [m/s].
/// Differs: bodies in contact that are driven together faster than they first touched (a blow on a rock
/// that lay at rest) count as touching at that speed, so the factor stays below 1 + x.
inline double damping_factor(double dissipation_number, double depth_rate, double impact_speed) {
  const double ratio = std::min(depth_rate / std::max(impact_speed, kLeastImpactSpeed), 1.0);
  return std::max(0.0, 1 + dissipation_number * ratio);
}

/// k δ^1.5 [N] at depth δ [m] >= 0, damped. Hunt & Crossley, J. Appl. Mech. 42 (1975).
inline double hunt_crossley_force(double stiffness, double depth, double damping) {
  return stiffness * depth * std::sqrt(depth) * damping;
}

}  // namespace grouser::internal
