#pragma once

#include <string>

#include "assets/fields.h"
#include "core/error.h"
#include "sim/watch_options.h"

namespace grouser::internal {

/// The list of what a scene says about watching; see assets/fields.h.
template <class Visitor>
void visit_fields(WatchOptions& options, Visitor& visit) {
  const auto action = [&](const char* name, const char* help, WatchAction& value) {
    visit(FieldInfo{name, help}, value, kWatchActionNames);
  };
  visit(FieldInfo{"rate_hz", "how often watchers look", "Hz"}.above(0, 1e5), options.rate_hz);
  action("rolled_over", "the chassis stands on its side or its back", options.rolled_over);
  visit(FieldInfo{"roll_over_deg", "from this tilt of the chassis on", "deg"}.above(0, 180),
        options.roll_over_deg);
  action("tilted", "the chassis is tilted", options.tilted);
  visit(FieldInfo{"tilt_deg", "from this tilt on", "deg"}.above(0, 180), options.tilt_deg);
  action("chassis_contact", "a body of a rover, no wheel, touches the ground or a rock",
         options.chassis_contact);
  action("wheel_under_ground", "a wheel is in the ground to its axle", options.wheel_under_ground);
  action("off_map", "the chassis or a wheel is beyond the terrain", options.off_map);
  action("stuck", "a rover that is asked to drive gets nowhere", options.stuck);
  visit(FieldInfo{"stuck_slip", "if all wheels make less than 1 less this of their speed"}.in(0, 1),
        options.stuck_slip);
  visit(FieldInfo{"stuck_time", "for so long", "s"}.above(0, 1e7), options.stuck_time);
  action("sliding", "a rover moves that is asked to stand, or to go the other way",
         options.sliding);
  visit(FieldInfo{"slide_speed", "if all wheels are faster than this", "m/s"}.above(0, 1e4),
        options.slide_speed);
  visit(FieldInfo{"slide_time", "for so long", "s"}.above(0, 1e7), options.slide_time);
  action("too_fast", "a wheel on soil rolls or slides faster than models of soil hold",
         options.too_fast);
  visit(FieldInfo{"max_soil_speed", "which is this", "m/s"}.above(0, 1e4), options.max_soil_speed);
  action("servo_at_limit", "an actuator gives its `max_effort` for long", options.servo_at_limit);
  visit(FieldInfo{"servo_share", "for this share of the time"}.in(0, 1), options.servo_share);
  visit(FieldInfo{"servo_time", "and for so long, in all", "s"}.above(0, 1e7), options.servo_time);
  action("waypoint_not_reached", "a path is not done at the end (`stop` is `warn`)",
         options.waypoint_not_reached);
  action("crab_without_steering", "a path in crab mode, and wheels that cannot steer",
         options.crab_without_steering);
}

/// Nothing to fit.
inline void check_fit(const WatchOptions&, const std::string&, IssueList&) {}

}  // namespace grouser::internal
