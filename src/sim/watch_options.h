#pragma once

#include <array>

#include "sim/alarm.h"

namespace grouser::internal {

/// What follows from what a watcher sees.
enum class WatchAction {
  off,   ///< nobody looks
  warn,  ///< an alarm
  stop,  ///< an alarm that ends the run
};
inline constexpr std::array kWatchActionNames = {"off", "warn", "stop"};

/// What is watched while a scene runs, and from where on it is an alarm. By default a run ends only where what follows
/// would mean nothing: on its back a rover does not drive, and beyond the map there is no ground.
struct WatchOptions {
  double rate_hz = 20;  ///< how often watchers look [Hz], > 0

  WatchAction rolled_over = WatchAction::stop;
  double roll_over_deg = 90;  ///< between the chassis' z axis and up [deg]
  WatchAction tilted = WatchAction::warn;
  double tilt_deg = 45;  ///< the same [deg]
  WatchAction chassis_contact = WatchAction::warn;
  WatchAction wheel_under_ground = WatchAction::warn;
  WatchAction off_map = WatchAction::stop;

  WatchAction stuck = WatchAction::warn;
  double stuck_slip = 0.9;  ///< a wheel that makes less than 1 - this of its commanded speed [-]
  double stuck_time = 5;    ///< [s]
  WatchAction sliding = WatchAction::warn;
  double slide_speed = 0.02;  ///< [m/s]
  double slide_time = 2;      ///< [s]
  WatchAction too_fast = WatchAction::warn;
  double max_soil_speed = 1;  ///< of a wheel on soil [m/s]

  WatchAction servo_at_limit = WatchAction::warn;
  double servo_share = 0.2;  ///< of the time so far [-]
  double servo_time = 2;     ///< and at least so long [s]

  WatchAction waypoint_not_reached = WatchAction::warn;  ///< known at the end: stop is warn
  WatchAction crab_without_steering = WatchAction::warn;

  friend bool operator==(const WatchOptions&, const WatchOptions&) = default;
};

inline WatchAction action_of(const WatchOptions& options, AlarmKind kind) {
  switch (kind) {
    case AlarmKind::rolled_over:
      return options.rolled_over;
    case AlarmKind::tilted:
      return options.tilted;
    case AlarmKind::chassis_contact:
      return options.chassis_contact;
    case AlarmKind::wheel_under_ground:
      return options.wheel_under_ground;
    case AlarmKind::off_map:
      return options.off_map;
    case AlarmKind::stuck:
      return options.stuck;
    case AlarmKind::sliding:
      return options.sliding;
    case AlarmKind::too_fast:
      return options.too_fast;
    case AlarmKind::servo_at_limit:
      return options.servo_at_limit;
    case AlarmKind::waypoint_not_reached:
      return options.waypoint_not_reached;
    case AlarmKind::crab_without_steering:
      break;
  }
  return options.crab_without_steering;
}

}  // namespace grouser::internal
