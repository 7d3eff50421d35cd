#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contact/wheel/wheel_model.h"
#include "rigs/wheel_rig.h"

/// Slip against slope: a rover drives straight uphill with all wheels turning at one rate, or a single wheel
/// pulls its own weight up. Gravity leans; the soil is level to its grid and does not slide. docs/rigs.md.
namespace grouser::internal {

struct SlopeSpec : RigResolution {
  std::string rover =
      "four_wheel";  ///< a built-in one or a file (load_rover()); "" for a single wheel
  Soil soil = find_soil("grc_1");
  std::optional<WheelModel> model;  ///< none: SCM
  GrouserSpec grousers = {.count = 0};
  WheelSpec wheel = smooth_wheel(0.25, 0.2);  ///< of a single wheel
  double mass =
      0;  ///< of the rover with ballast [kg], 0: without; of a single wheel, which needs one
  double rim_speed = 0.2;    ///< [m/s]
  double distance = 2;       ///< that the rims go [m]
  double gravity = 9.80665;  ///< [m/s²]
};

/// Throws Error(input) naming every field out of range.
void validate(const SlopeSpec& spec);

/// Means are over the second half of the way.
struct SlopeRun {
  double slope_deg = 0;
  double slip = 0;     ///< 1 - v/(ωr); above 1 it slides back
  double sinkage = 0;  ///< mean of the wheels [m]
  double torque = 0;   ///< mean of the drives [N m]
  bool climbs =
      true;  ///< a single wheel: whether there is a slip, up to kMostSlip, that carries it up
  bool steady = true;  ///< whether means over both halves of that half agree (Steadiness)
  std::vector<std::string> warnings;
};
inline constexpr double kMostSlip = 0.98;

/// The rover on a slope [deg], uphill positive.
World slope_world(const SlopeSpec& spec, double slope_deg);

SlopeRun run_slope(const SlopeSpec& spec, double slope_deg);

/// Slopes side by side.
std::vector<SlopeRun> run_slope_sweep(const SlopeSpec& spec, const std::vector<double>& slopes_deg,
                                      const SweepProgress& progress = {});

}  // namespace grouser::internal
