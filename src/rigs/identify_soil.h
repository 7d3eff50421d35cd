#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rigs/soil_tests.h"

/// Parameters of soils from measurements: Bekker's pressure under a plate, and Janosi & Hanamoto's
/// shear stress. docs/identify.md tells what the figures mean.
namespace grouser::internal {

/// What a plate fit makes small, mean square over each trial's points:
enum class FitMode {
  log,      ///< ln(p/p̂): relative errors, whatever the pressure
  pressure  ///< (p - p̂)/(the trial's rms pressure); nearly Wong's weighted ln p (1980)
};

struct IdentifyOptions {
  FitMode fit = FitMode::log;
  /// Shallower plate points are left out [m], >= 0. Empty: 5 % of each trial's depth in a log fit,
  /// to which errors of the zero matter most there; none in a pressure fit.
  std::optional<double> least_sinkage;
  bool offset = false;     ///< fit where each plate trial's sinkage really begins
  int resamples = 1000;    ///< for the intervals, >= 2
  std::uint64_t seed = 1;  ///< of these
};

/// A value with its 95 % interval.
struct Estimate {
  double value = 0, low = 0, high = 0;
};

/// Points that were not used, by reason.
struct LeftOut {
  std::size_t unloading = 0;    ///< behind the deepest point so far: unloading and reloading
  std::size_t shallow = 0;      ///< before the least sinkage, or not in the ground at all
  std::size_t no_pressure = 0;  ///< p <= 0, which has no logarithm
};

/// How one trial went.
struct TrialMisfit {
  std::string trial;
  double level = 0;        ///< b of a plate [m]; mean normal stress of a shear test [Pa]
  int group = 0;           ///< trials of the same level have the same number, from the least level
  std::size_t points = 0;  ///< used
  double rms = 0;          ///< of measured minus fitted stress [Pa]
  double offset = 0;       ///< to add to its sinkages [m]; 0 unless fitted
};

/// What plate and shear fits have in common.
struct FitReport {
  std::vector<TrialMisfit> trials;  ///< in the order of the file
  LeftOut left_out;
  double rms = 0;         ///< [Pa], all trials alike
  double r_squared = 0;   ///< of the stresses, all points alike
  bool resampled = true;  ///< intervals by resampling trials; else from the covariance
  std::vector<std::string> warnings;
};

/// p = (k_c/b + k_φ) zⁿ. Bekker, Introduction to Terrain-Vehicle Systems (1969).
struct PlateFit : FitReport {
  Estimate exponent;            ///< n [-]
  Estimate cohesive_modulus;    ///< k_c [N/m^(n+1)]; 0 if there was one width only
  Estimate frictional_modulus;  ///< k_φ [N/m^(n+2)]; of one width only, k = k_c/b + k_φ for it
  double correlation = 0;       ///< of k_c and k_φ [-]
  bool one_width = false;
  std::vector<PlateTest> used;                 ///< the points that were fitted, one test per trial
  double least_width = 0, greatest_width = 0;  ///< b of the plates used [m]

  /// The fitted p [Pa] under a plate of width b [m] at sinkage z >= 0 [m].
  double pressure(double width, double sinkage) const;
};

/// τ = (c + p tan φ)(1 - exp(-j/K)). Janosi & Hanamoto (1961).
struct ShearFit : FitReport {
  Estimate cohesion;        ///< c [Pa]; 0 if there was one normal stress only
  Estimate friction_angle;  ///< φ [rad]; of one normal stress only, atan((c + p tan φ)/p)
  Estimate shear_modulus;   ///< K [m]
  bool one_stress = false;
  std::vector<ShearTest> used;  ///< the points that were fitted

  /// The fitted τ [Pa] at normal stress p [Pa] and displacement j >= 0 [m].
  double shear_stress(double normal_stress, double displacement) const;
};

/// Fits Bekker's law. Only the first loading of each trial counts: points behind its deepest one by
/// more than 1 % of its depth are left out. Throws Error(input) if there is no test, a trial keeps
/// fewer than 3 points or has no positive pressure, or the data leave a parameter open.
PlateFit identify_plates(const std::vector<PlateTest>& tests, const IdentifyOptions& options = {});

/// Fits the law of shear, to τ relative to each trial's rms. Data as for plates.
ShearFit identify_shear(const std::vector<ShearTest>& tests, const IdentifyOptions& options = {});

/// Whether each of these travels lies on the first loading: not behind the furthest so far by more
/// than 1 % of the furthest of all.
std::vector<bool> first_loading(const std::vector<double>& travels);

}  // namespace grouser::internal
