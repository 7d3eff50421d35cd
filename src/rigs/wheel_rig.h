#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assets/wheel.h"
#include "contact/scm/options.h"
#include "contact/wheel/wheel_model.h"
#include "rigs/rig_resolution.h"
#include "rigs/rig_statistics.h"
#include "sim/simulate.h"
#include "terrain/soil.h"

/// A single wheel on a carriage over soft soil. The carriage travels along x at a given speed, the wheel
/// turns at the rate that a slip asks for, and stands on the soil with its weight on a vertical slide.
/// docs/rigs.md.
namespace grouser::internal {

/// A smooth tread on a solid disc: a cylinder.
WheelSpec smooth_wheel(double radius, double width);

struct WheelRigSpec : RigResolution {
  Soil soil = find_soil("dlr_a");
  WheelSpec wheel = smooth_wheel(0.125, 0.1);
  std::optional<WheelModel> model;  ///< one of the fast ones; none: SCM
  std::string mesh;          ///< file of another wheel, axle y; `wheel` then gives radius and width
  double load = 100;         ///< on the ground, at right angles to it [N]
  double speed = 0.05;       ///< of travel [m/s]
  double rim_speed = 0.05;   ///< at slip 1, where the carriage stands [m/s]
  double distance = 0.8;     ///< of travel, or of travel time · speed at slip 1 [m]
  double slope_deg = 0;      ///< gravity leans back by this: positive is uphill [deg]
  double gravity = 9.80665;  ///< [m/s²]
  int passes = 1;            ///< in the same rut
  double slide_damping = 0;  ///< of the vertical slide [N s/m]; 0: load / (0.2 m/s)
  double trace_rate_hz =
      50;  ///< of the traces, each point a mean over the steps since the last [Hz]
};

/// Throws Error(input) naming every field out of range.
void validate(const WheelRigSpec& spec);

/// What is asked of the wheel.
struct WheelCase {
  /// Driving 1 - v/(ωr), braking ωr/v - 1, -1 ... 1, with v along the wheel's heading; none: it rolls freely.
  std::optional<double> slip;
  double slip_angle = 0;  ///< heading against travel, left positive [rad]
};

/// Forces are those of the soil on the wheel.
struct WheelSampleOnRig {
  double time = 0;     ///< [s]
  double travel = 0;   ///< of the carriage [m]
  double slip = 0;     ///< [-]
  double pull = 0;     ///< along travel [N]
  double lateral = 0;  ///< to the left of travel [N]
  double load = 0;     ///< upward [N]
  double torque = 0;   ///< of the drive, forward positive [N m]
  double sinkage = 0;  ///< of the wheel's lowest reach below the untouched ground [m]
};

/// A pass of the wheel. Means are over the second half of the travel.
struct WheelPass {
  WheelCase asked;
  int pass = 1;
  Spread slip, pull, lateral, load, torque, sinkage;
  std::optional<double>
      rut_depth;  ///< mean, behind the wheel [m]; nothing if it went too short a way, or made none
  std::vector<WheelSampleOnRig> trace;
  std::vector<std::string> warnings;
};

/// The rig as a World; its first body is the carriage, its last one the wheel. It stands for
/// kSettleTime, then speeds up within kRampTime.
World wheel_rig_world(const WheelRigSpec& spec, const WheelCase& asked);
inline constexpr double kSettleTime = 0.5, kRampTime = 0.2;  // [s]

/// All passes of one case, each in the soil as the one before left it.
std::vector<WheelPass> run_wheel(const WheelRigSpec& spec, const WheelCase& asked);

/// Cases one after another and side by side, each in fresh soil; all passes of the first come first.
std::vector<WheelPass> run_wheel_sweep(const WheelRigSpec& spec,
                                       const std::vector<WheelCase>& cases,
                                       const SweepProgress& progress = {});

}  // namespace grouser::internal
