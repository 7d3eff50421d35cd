#pragma once

#include <optional>
#include <string>
#include <vector>

#include "power/power_plant.h"
#include "sim/path_follower.h"

namespace grouser::internal {

enum class ActivityKind {
  drive,    ///< along a path
  wait,     ///< stand, awake
  joints,   ///< move joints, one after another or together
  payload,  ///< stand, and use an instrument
  night,    ///< stand, asleep: only loads that sleep does not stop
};

/// What follows an activity that was aborted.
enum class OnAbort {
  stop,  ///< the mission ends, the rover stands
  next,  ///< the next activity
};

enum class Verdict { not_started, running, succeeded, aborted };

/// Why an activity was aborted.
enum class AbortReason { none, goal, tilt, slip, energy, time, battery };

const char* to_string(ActivityKind kind);
const char* to_string(Verdict verdict);
const char* to_string(AbortReason reason);

/// Moves one joint from where it was asked to be, evenly accelerated and slowed down (a quintic).
struct JointMove {
  int actuator = 0;
  double position = 0;    ///< [rad] or [m]
  double duration = 5;    ///< [s], > 0
  bool together = false;  ///< begins with the move before, not after it
};

/// One item of a mission. Criteria that are not given do not count.
struct Activity {
  ActivityKind kind = ActivityKind::wait;
  std::string name;
  PathPlan path;        ///< drive
  double go_for = 0;    ///< drive, stop and go: [s]; 0 = does not stop
  double stop_for = 0;  ///< [s]
  std::vector<JointMove> moves;
  std::optional<double> duration;    ///< of standing [s], >= 0
  std::optional<double> until_hour;  ///< of standing: local solar time [h]
  double power = 0;                  ///< that instruments take meanwhile [W], >= 0
  bool parked = true;                ///< standing: brakes hold, and time goes on in large steps
  double goal_within = 0;            ///< of the last waypoint [m], or of each joint [rad], [m]
  std::optional<double> tilt_max;    ///< of the chassis from upright [rad]
  std::optional<double> slip_max;    ///< of all wheels together, over some seconds [-]
  std::optional<double> energy_max;  ///< [J]
  double time_max = 0;  ///< of drives and joints [s]; 0: five times what they take, and a minute
  std::optional<double> battery_min;  ///< state of charge [-]
  OnAbort on_abort = OnAbort::stop;
};

/// Whether the rover stands.
inline bool stands(ActivityKind kind) {
  return kind == ActivityKind::wait || kind == ActivityKind::payload || kind == ActivityKind::night;
}

/// What a rover does one after another. A controller of its own clock.
struct Mission {
  int rover = 0;
  double rate_hz = 10;       ///< at which it looks [Hz], > 0
  double rest_speed = 1e-3;  ///< a rover slower than this in all coordinates rests [m/s], [rad/s]
  double rest_step = 60;     ///< longest step of a parked rover [s], > 0
  std::vector<Activity> activities;  ///< none: there is no mission
  std::vector<int> actuators;        ///< that any activity moves as joints
};

/// The electrical power of the first rover.
struct RoverPower {
  PowerSpec spec;
  std::vector<int> actuators;  ///< per motor of the spec
};

/// How an activity went; energies and times as doubles in SI.
struct ActivityReport {
  std::string name;
  ActivityKind kind = ActivityKind::wait;
  Verdict verdict = Verdict::not_started;
  AbortReason reason = AbortReason::none;
  double began = 0, ended = 0;     ///< [s]; `ended` is the present while it runs
  double planned = 0, driven = 0;  ///< length of the path and of the way, from above [m]
  double deviation_max = 0;        ///< from the path [m]
  double goal_error = 0;  ///< where it ended: from the last waypoint [m], or of the worst joint
  double tilt_max = 0;    ///< [rad]
  double slip_max = 0;    ///< of all wheels together, over some seconds [-]
  double energy = 0;      ///< from the bus; without power, work of the actuators [J]
  double charge = 0;      ///< state of charge at its end [-]
  double parked = 0, parked_from = 0, parked_to = 0;  ///< [s]
};

struct World;
struct State;

/// The timeline of a mission, as the state remembers it.
std::vector<ActivityReport> mission_report(const World& world, const State& state);
/// What was aborted or did not come to rest, a sentence each.
std::vector<std::string> mission_warnings(const World& world, const State& state);

/// "aborted: tilt 31.2°, limit 30°", for people.
std::string verdict_text(const ActivityReport& report);

}  // namespace grouser::internal
