#pragma once

#include <array>

#include "assets/fields.h"
#include "math/angle.h"
#include "scene/mission_data.h"
#include "scene/power_fields.h"
#include "scene/range.h"

/// The lists of what a scene says about missions; see assets/fields.h.
namespace grouser::internal {

inline constexpr std::array<const char*, 5> kActivityWords = {"drive", "wait", "joints", "payload",
                                                              "night"};
inline constexpr std::array<const char*, 4> kOnboardWords = {"speed", "slip", "traction",
                                                             "heading"};
inline constexpr std::array<const char*, 2> kOnAbortWords = {"stop", "next"};
inline constexpr std::array<const char*, 3> kModeWords = {"ackermann", "crab", "point_turn"};

template <class Visitor>
void visit_fields(JointMoveData& move, Visitor& visit) {
  visit(FieldInfo{"joint", "that moves, or its actuator"}, move.joint);
  visit(FieldInfo{"position", "where it goes", "rad or m"}.in(-1e5, 1e5), move.position);
  visit(FieldInfo{"position_deg", "the same in degrees", "deg"}.in(-1e7, 1e7), move.position_deg);
  visit(FieldInfo{"duration", "of the move", "s"}.above(0, 1e7), move.duration);
  visit(FieldInfo{"together", "begins with the move before it, not after it"}, move.together);
}

inline void check_keys(JointMoveData& move, MapReader& map) {
  move.place = map.place();
  map.require("joint");
  constexpr std::string_view kPositions[] = {"position", "position_deg"};
  map.exactly_one_of(kPositions);
}

/// What drives say.
template <class Visitor>
void visit_drive(Activity& drive, Visitor& visit) {
  PathPlan& path = drive.path;
  visit(FieldInfo{"waypoints", "drive: points [x, y] of the path", "m"}.in(-1e5, 1e5).hinted(
            ranges::kMetresHint),
        path.waypoints);
  visit(FieldInfo{"mode", "drive: how the rover steers"}, path.mode, kModeWords);
  visit(FieldInfo{"speed", "drive: along the path", "m/s"}.above(0, 100), path.speed);
  visit(FieldInfo{"turn_rate", "drive: largest turning rate", "rad/s"}.above(0, 100),
        path.turn_rate);
  visit(
      FieldInfo{"lookahead", "drive: the rover aims so far ahead on its path", "m"}.above(0, 1000),
      path.lookahead);
  visit(
      FieldInfo{"tolerance", "drive: a waypoint counts as reached within this distance", "m"}.above(
          0, 1000),
      path.tolerance);
  visit(FieldInfo{"heading_tolerance", "drive, point_turn: drives at smaller errors", "rad"}.above(
            0, 3.2),
        path.heading_tolerance);
  visit(
      FieldInfo{"go_for", "drive, stop and go: drives so long, then stops; 0 = does not stop", "s"}
          .in(0, 1e7),
      drive.go_for);
  visit(FieldInfo{"stop_for", "drive, stop and go: stops so long", "s"}.in(0, 1e7), drive.stop_for);
}

template <class Visitor>
void visit_fields(ActivityData& data, Visitor& visit) {
  Activity& law = data.law;
  std::optional<double> tilt, energy;
  if (law.tilt_max) tilt = *law.tilt_max / kDegree;
  if (law.energy_max) energy = *law.energy_max / kWattHour;
  visit(FieldInfo{"do", "what kind of activity"}, law.kind, kActivityWords);
  visit(FieldInfo{"name", "in the timeline; the kind if not given"}, law.name);
  visit_drive(law, visit);
  visit(FieldInfo{"moves", "joints: one after another"}, data.moves);
  visit(FieldInfo{"duration", "wait, payload, night: how long", "s"}.in(0, 1e9), law.duration);
  visit(FieldInfo{"until_hour", "wait, payload, night: instead, to this local solar time", "h"}.in(
            0, 24),
        law.until_hour);
  visit(FieldInfo{"power", "that instruments take meanwhile", "W"}.in(0, 1e6), law.power);
  visit(FieldInfo{"parked", "wait, payload, night: brakes hold the rover, and time goes fast"},
        law.parked);
  visit(FieldInfo{"goal_within",
                  "drive: distance from the last waypoint that counts as success [m], twice the "
                  "tolerance if not given; joints: error of each joint [rad] or [m], 0.05 if not"}
            .above(0, 1000),
        data.goal_within);
  visit(FieldInfo{"tilt_max_deg", "aborts: tilt of the chassis", "deg"}.above(0, 180), tilt);
  visit(FieldInfo{"slip_max", "drive: aborts: slip of all wheels together, over 5 s"}.above(0, 1),
        law.slip_max);
  visit(FieldInfo{"energy_max_Wh", "aborts: energy that the activity took", "Wh"}.above(0, 1e9),
        energy);
  visit(FieldInfo{"time_max",
                  "drive, joints: aborts; if not given, five times what the path or the moves "
                  "take, and a minute",
                  "s"}
            .above(0, 1e9),
        data.time_max);
  visit(FieldInfo{"battery_min",
                  "aborts: state of charge; that which `max_depth` leaves if not given, but for "
                  "wait and night"}
            .in(0, 1),
        law.battery_min);
  visit(FieldInfo{"on_abort", "what follows an abort"}, law.on_abort, kOnAbortWords);
  if (tilt) law.tilt_max = *tilt * kDegree;
  if (energy) law.energy_max = *energy * kWattHour;
}

inline void check_keys(ActivityData& data, MapReader& map) {
  data.place = map.place();
  map.require("do");
  Activity& law = data.law;
  if (law.name.empty()) law.name = to_string(law.kind);
  const std::string kind = to_string(law.kind);
  const auto refuse = [&](std::initializer_list<const char*> keys) {
    for (const char* key : keys) map.refuse(key, "has no effect on the activity '" + kind + "'");
  };
  if (law.kind == ActivityKind::drive) {
    map.require("waypoints");
    if (map.find("waypoints") != nullptr && law.path.waypoints.empty()) {
      map.refuse("waypoints", "must hold at least one point");
    }
    if (law.go_for == 0) map.refuse("stop_for", "goes with 'go_for'");
  } else {
    refuse({"waypoints", "mode", "speed", "turn_rate", "lookahead", "tolerance",
            "heading_tolerance", "go_for", "stop_for", "slip_max"});
  }
  if (law.kind == ActivityKind::joints) {
    map.require("moves");
  } else {
    refuse({"moves"});
  }
  if (stands(law.kind)) {
    constexpr std::string_view kEnds[] = {"duration", "until_hour"};
    map.exactly_one_of(kEnds);
    refuse({"goal_within", "time_max"});
  } else {
    refuse({"duration", "until_hour", "parked"});
  }
}

template <class Visitor>
void visit_fields(OnboardData& data, Visitor& visit) {
  OnboardControl& law = data.law;
  visit(FieldInfo{"control",
                  "what it does: `speed` lets all wheels turn faster until the rover is as fast as "
                  "asked, `slip` each wheel by what its slip takes; `traction` lets wheels that "
                  "slip more turn slower than others; `heading` steers against sliding aside"},
        law.kind, kOnboardWords);
  visit(FieldInfo{"rover", "on which it is; not needed if there is one only"}, data.rover);
  visit(FieldInfo{"rate_hz", "of its clock", "Hz"}.above(0, 1e5), law.rate_hz);
  visit(FieldInfo{"gain", "`speed`, `traction`, `heading`: of the integral", "1/s"}.above(0, 100),
        law.gain);
  visit(FieldInfo{"limit",
                  "largest change: of a wheel's rate, as a part of it, or of its steering "
                  "angle [rad]"}
            .above(0, 10),
        law.limit);
  visit(
      FieldInfo{"average", "`slip`, `traction`: time over which speeds of wheels are averaged", "s"}
          .above(0, 1e4),
      law.average);
}

inline void check_keys(OnboardData& data, MapReader& map) {
  data.place = map.place();
  map.require("control");
  const std::string why =
      std::string("has no effect on the controller '") + to_string(data.law.kind) + "'";
  if (data.law.kind == OnboardKind::slip) map.refuse("gain", why);
  if (data.law.kind == OnboardKind::speed || data.law.kind == OnboardKind::heading) {
    map.refuse("average", why);
  }
}

template <class Visitor>
void visit_fields(MissionData& mission, Visitor& visit) {
  visit(FieldInfo{"rover", "whose mission it is; not needed if there is one only"}, mission.rover);
  visit(FieldInfo{"rate_hz", "at which the mission looks at the rover", "Hz"}.above(0, 1e5),
        mission.law.rate_hz);
  visit(FieldInfo{"rest_speed",
                  "a rover slower than this in all coordinates for a second may be parked",
                  "m/s, rad/s"}
            .above(0, 1),
        mission.law.rest_speed);
  visit(FieldInfo{"rest_step", "longest step of a parked rover", "s"}.above(0, 1e5),
        mission.law.rest_step);
  visit(FieldInfo{"activities", "one after another"}, mission.activities);
}

inline void check_keys(MissionData& mission, MapReader& map) {
  mission.place = map.place();
  map.require("activities");
  if (map.find("activities") != nullptr && mission.activities.empty()) {
    map.refuse("activities", "must hold at least one activity");
  }
}

}  // namespace grouser::internal
