#pragma once

#include <string>
#include <vector>

#include "assets/wheel.h"
#include "rigs/rig_resolution.h"
#include "rigs/rig_statistics.h"
#include "sim/simulate.h"
#include "terrain/soil.h"

/// A rover that pulls at a rope in soft soil. The rope is paid out at a steady speed behind it, all wheels
/// turn at the rate of a slip, and the rope's tension is the drawbar pull. docs/rigs.md.
namespace grouser::internal {

struct DrawbarSpec : RigResolution {
  std::string rover = "exomars";  ///< a built-in one, or a file (load_rover())
  Soil soil = find_soil("dlr_d");
  double speed = 0.0108;      ///< at which the rope is paid out [m/s]
  double distance = 0.25;     ///< of rope, in all [m]
  double mass = 0;            ///< of the rover with ballast on its chassis [kg]; 0: without
  double gravity = 9.80665;   ///< [m/s²]
  double hitch_height = 0.2;  ///< of the level rope above the untouched ground [m]
  double wheel_width = 0;     ///< of all wheels [m]; 0: their own
  GrouserSpec grousers = {.count = 0};  ///< on all wheels
  double trace_rate_hz =
      10;  ///< of the traces, each point a mean over the steps since the last [Hz]
};

/// Throws Error(input) naming every field out of range; with the nearest name if there is no such rover.
void validate(const DrawbarSpec& spec);

/// Wheels' values are means over the wheels.
struct DrawbarSample {
  double time = 0;     ///< [s]
  double travel = 0;   ///< of the chassis since the start [m]
  double tension = 0;  ///< of the rope [N]
  double slip = 0;     ///< 1 - v/(ωr) [-]
  double torque = 0;   ///< of a drive [N m]
  double sinkage = 0;  ///< of a wheel below the untouched ground [m]
  double load = 0;     ///< all wheels together [N]
};

/// One slip. Means are over the second half of the way.
struct DrawbarRun {
  double asked_slip = 0;
  Spread tension, slip, torque, sinkage, load;
  bool steady = true;  ///< whether means over both halves of that half agree (Steadiness)
  std::vector<DrawbarSample> trace;
  std::vector<std::string> warnings;
};

/// The rover, the rope and the soil, for a slip in 0 ... 0.99.
World drawbar_world(const DrawbarSpec& spec, double slip);
inline constexpr double kDrawbarSettleTime = 1.5, kDrawbarRampTime = 0.5;  // [s]

DrawbarRun run_drawbar(const DrawbarSpec& spec, double slip);

/// Slips side by side, each in fresh soil.
std::vector<DrawbarRun> run_drawbar_sweep(const DrawbarSpec& spec, const std::vector<double>& slips,
                                          const SweepProgress& progress = {});

}  // namespace grouser::internal
