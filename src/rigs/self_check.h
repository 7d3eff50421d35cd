#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/simulate.h"

/// Whether a run's step and grid are fine enough: it is repeated at half of both, and what changes is measured.
/// docs/run-format.md.
namespace grouser::internal {

struct CheckOptions {
  /// Of the run, from its start, that is repeated [s]; 0: all of it, or the first kSoilCheckDuration where there is
  /// soft soil.
  double duration = 0;
  double tolerance = 0.03;  ///< largest change of a converged run [-], > 0
};
inline constexpr double kSoilCheckDuration = 10;  ///< [s]

/// Throws Error(usage) if the part to repeat is longer than the run of a World shall be.
void validate(const CheckOptions& options, const World& world);

/// What is compared. Changes of the first four are of single wheels.
enum class Compared { slip, sinkage, torque, pull, distance, energy };
inline constexpr std::array<const char*, 6> kComparedNames = {"slip", "sinkage",  "torque",
                                                              "pull", "distance", "energy"};
inline constexpr std::size_t kComparedOfWheels = 4;

/// By how much each differs between two runs [-], >= 0.
using Changes = std::array<double, kComparedNames.size()>;
double largest(const Changes& changes);

struct WheelSize {
  std::string name;
  double radius = 0;  ///< [m]
};

/// How far a finer run differs from a coarser one.
struct RunComparison {
  Changes worst{}, mean{};                                      ///< over the wheels
  std::vector<std::array<double, kComparedOfWheels>> wheels{};  ///< of each
};

/// Slip: difference. Sinkage: difference over that of the finer run, of which 5 % of the radius count at least.
/// Torque: the same, of which 1 % of load times radius count at least. Pull: difference over the load. Distance:
/// difference over that of the finer run, of which a wheel's radius, or 0.1 m without wheels, counts at least. Energy:
/// the same, of which 1 % of the weight on wheels times the distance count at least.
RunComparison compare_runs(const RunReport& coarse, const RunReport& fine,
                           const std::vector<WheelSize>& wheels);

/// A run at a finer step or grid.
struct FinerRun {
  RunComparison change;
  std::string failure;  ///< why it did not get to its end; empty if it did
  bool agrees(double tolerance) const;
};

struct SelfCheck {
  double duration = 0;            ///< of what was repeated [s]
  double tolerance = 0;           ///< [-]
  double step_size = 0;           ///< of the run [s]
  std::optional<double> spacing;  ///< of the run's grid [m]; nothing without soft soil
  std::vector<WheelSize> wheels;
  FinerRun both;  ///< half the step, and half the grid if there is one
  std::optional<FinerRun> step_alone, grid_alone;  ///< each alone; nothing if there is no grid
  std::string limits;  ///< what the verdict does not cover, a sentence; empty if it covers a drive
  /// Whether all finer runs agree: errors of step and grid may cancel in the last one.
  bool converged() const;
};

/// Compares a finished run of a World, which began at time 0, with finer ones. They tell their progress as
/// LongTasks. Throws Cancelled when asked to stop, and as validate() does.
SelfCheck check_run(const World& world, const RunReport& run, const CheckOptions& options);

/// "halve the grid to 5 mm"; empty if the run is converged.
std::string advice_of(const SelfCheck& check);

/// A table and a verdict, of several lines.
std::string check_text(const SelfCheck& check);

/// {"converged", "tolerance", "changes": {"slip", ...}, "changes_mean", "step_s", "spacing_m", "duration_s", ...}
nlohmann::ordered_json check_json(const SelfCheck& check);

}  // namespace grouser::internal
