#pragma once

#include <span>
#include <vector>

#include "math/spatial.h"

namespace grouser::internal {

/// How a rover with steerable wheels turns the wish to go somewhere into wheel motion.
enum class SteeringMode {
  ackermann,   ///< heading follows the path; wheel axes meet in the centre of turn
  crab,        ///< heading is kept; all wheels point along the motion
  point_turn,  ///< stop, turn on the spot towards the next point, go straight
};

const char* to_string(SteeringMode mode);

/// A wheel seen from above in the chassis frame (x forward, y left, z up).
struct WheelPlan {
  double x = 0;       ///< centre [m]
  double y = 0;       ///< centre [m]
  double radius = 0;  ///< [m], > 0
  bool steerable = false;
  double max_steer = 0;  ///< largest steering angle either way [rad]
};

/// Planar motion wanted of the chassis, in its own frame.
struct PlanarTwist {
  double vx = 0;  ///< forward [m/s]
  double vy = 0;  ///< to the left [m/s]
  double wz = 0;  ///< turning left [rad/s]
};

struct WheelCommand {
  double steer = 0;  ///< angle about z, left positive [rad]
  double speed = 0;  ///< rolling rate, forward positive [rad/s]
};

/// Rolling without slip: every wheel points along the velocity of its centre and turns at
/// |velocity| / radius. A wheel turns backwards rather than steer past ±90°; within 5° of ±90° it
/// takes the way nearer to its previous steer, so that a wheel that rolls sideways does not flip
/// to and fro. It keeps the previous steer where its centre stands still and, where its steering
/// is limited or absent, rolls with the part of the velocity along its heading.
/// `commands_in_out` holds the previous commands and has as many entries as `wheels`.
void wheel_commands(std::span<const WheelPlan> wheels, const PlanarTwist& twist,
                    std::span<WheelCommand> commands_in_out);

}  // namespace grouser::internal
