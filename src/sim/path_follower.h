#pragma once

#include <vector>

#include "sim/steering.h"

namespace grouser::internal {

/// A path driven by pure pursuit: aim at the point of the path `lookahead` ahead of the chassis.
/// Coulter, "Implementation of the Pure Pursuit Path Tracking Algorithm", CMU-RI-TR-92-01 (1992).
/// Corners up to 90° are cut short within the lookahead; at sharper ones, and at the end, the
/// waypoint itself is driven to. A point turn drives to every waypoint.
struct PathPlan {
  std::vector<Eigen::Vector2d> waypoints;  ///< in W [m], at least one
  SteeringMode mode = SteeringMode::ackermann;
  double speed = 0.05;      ///< [m/s], > 0
  double turn_rate = 0.1;   ///< largest turning rate [rad/s], > 0; curves are slowed down for it
  double lookahead = 0.5;   ///< [m], > 0; Ackermann turns are no tighter than half of it, except
                            ///< around the end of the path
  double tolerance = 0.05;  ///< a waypoint counts as reached within this distance [m], > 0
  double heading_tolerance = 0.02;  ///< point turn: drives at smaller heading errors [rad], > 0
};

/// Where the follower is on its path; part of the simulation's State as three numbers.
struct PathProgress {
  double segment = 0;  ///< index of the segment being driven; waypoints.size() when done
  double turning = 0;  ///< point turn: 1 while turning on the spot; Ackermann: 1 after the end of a
                       ///< leg was missed, 2 when the rover has come back for it
  double done = 0;     ///< 1 at the end
};

/// Chassis pose from above.
struct PlanarPose {
  double x = 0;    ///< [m]
  double y = 0;    ///< [m]
  double yaw = 0;  ///< [rad]
};

/// The twist to command now; advances `progress`. The path begins at `start`, the chassis position
/// when the command began. Zero twist once the last waypoint is reached. The last second before a
/// waypoint that is driven to is slowed down. An Ackermann rover that passes such a waypoint
/// abreast lets it be within twice the tolerance; else it comes back for it, once.
PlanarTwist follow_path(const PathPlan& plan, const Eigen::Vector2d& start, const PlanarPose& pose,
                        PathProgress& progress);

/// From a place to the nearest one of the path [m].
double distance_from_path(const PathPlan& plan, const Eigen::Vector2d& start,
                          const Eigen::Vector2d& place);

}  // namespace grouser::internal
