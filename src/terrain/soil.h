#pragma once

#include <string>
#include <vector>

namespace grouser::internal {

/// Parameters of a soil, as the models of terramechanics take them. A soil that a source describes
/// only in part is completed by estimates, which `estimated` names.
struct Soil {
  std::string name;         ///< e.g. "dlr_a"
  std::string description;  ///< one line
  std::string source;       ///< where the figures come from
  std::string validity;     ///< for what plates, loads and densities they hold
  /// Of the plates or wheels that they were measured with [m]; 0: the source does not say.
  double least_width = 0, greatest_width = 0;

  double sinkage_exponent = 1;         ///< n of Bekker's p = (k_c/b + k_φ) zⁿ [-], > 0
  double cohesive_modulus = 0;         ///< k_c [N/m^(n+1)]; may be negative in fits
  double frictional_modulus = 1e6;     ///< k_φ [N/m^(n+2)], > 0
  double cohesion = 0;                 ///< c [Pa], >= 0
  double friction_angle = 0.5;         ///< φ [rad], in (0, π/2)
  double shear_modulus = 0.015;        ///< K of Janosi & Hanamoto, a length [m], > 0
  double density = 1600;               ///< ρ, bulk [kg/m³], > 0
  double repose_angle = 0.5;           ///< ψ, steepest slope that stands [rad], in (0, π/2)
  std::vector<std::string> estimated;  ///< names of the fields above that the source does not give
};

/// Throws Error(input) naming every field out of range; `place` leads their names.
void validate(const Soil& soil, const std::string& place);

/// Width b [m] up to which k_c/b + k_φ is not positive, so that Bekker's law gives no pressure:
/// -k_c/k_φ for a negative k_c, which fits to narrow ranges of plates produce; else 0.
double smallest_plate_width(const Soil& soil);

/// All built-in soils, by name. Ranges of a source are represented by their middles. What a source
/// lacks is estimated: K 15 mm, the density 1600 kg/m³ (snow: 300), the angle of repose that of
/// friction.
const std::vector<Soil>& soil_presets();

/// The preset of that name; throws Error(input) with the nearest name otherwise.
const Soil& find_soil(const std::string& name);

}  // namespace grouser::internal
