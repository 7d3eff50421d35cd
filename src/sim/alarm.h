#pragma once

#include <array>
#include <string>

namespace grouser::internal {

/// What watchers look for; docs/trust.md says what each means.
enum class AlarmKind {
  rolled_over,
  tilted,
  chassis_contact,
  wheel_under_ground,
  off_map,
  stuck,
  sliding,
  too_fast,
  servo_at_limit,
  waypoint_not_reached,
  crab_without_steering,
};

inline constexpr std::array kAlarmKindNames = {"rolled_over",
                                               "tilted",
                                               "chassis_contact",
                                               "wheel_under_ground",
                                               "off_map",
                                               "stuck",
                                               "sliding",
                                               "too_fast",
                                               "servo_at_limit",
                                               "waypoint_not_reached",
                                               "crab_without_steering"};

inline const char* to_string(AlarmKind kind) {
  return kAlarmKindNames.at(static_cast<std::size_t>(kind));
}

/// What a watcher saw. Told once per kind and subject, when it begins.
struct Alarm {
  AlarmKind kind = AlarmKind::rolled_over;
  std::string body;      ///< body, wheel, rover or actuator that it is about
  double time = 0;       ///< when it was first seen [s]
  double last_time = 0;  ///< when it was last seen [s]
  double duration = 0;   ///< for how long it was seen, in all [s]
  std::string message;   ///< a sentence
};

}  // namespace grouser::internal
