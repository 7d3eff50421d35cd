#pragma once

#include <string>
#include <vector>

#include "sim/world.h"

/// Stands a rover on the ground of its world, at rest.
namespace grouser::internal {

struct PlaceRequest {
  int rover = 0;            ///< of World::rovers
  Vec2 at = Vec2::Zero();   ///< of its chassis, from above [m]
  double heading = 0;       ///< of its chassis' x, from above, from x towards y [rad]
  std::vector<char> fixed;  ///< per position of the model: 1 where it must stay as it is
};

/// A wheel of a rover that stands.
struct StandingWheel {
  std::string name;
  double load = 0;     ///< vertical force of the ground [N]; 0 if the wheel hangs in the air
  double sinkage = 0;  ///< of its lowest part below the ground there, vertically [m]
};

/// How a rover stands. If it cannot, `problem` says why and all else may be anything.
struct Placement {
  std::string problem;
  double slope = 0;            ///< of the ground below the rover [rad]
  double uphill = 0;           ///< where that rises to, from above, from x towards y [rad]
  double roll = 0, pitch = 0;  ///< of the chassis [rad]
  double margin =
      0;  ///< from above, of its centre of mass inside the polygon of its wheels' contacts [m]
  bool at_rest = true;  ///< whether an exact rest was found; else it is near one
  std::vector<StandingWheel> wheels;
};

/// Finds how the rover stands and writes it into World::initial: wheels on the untouched ground, as deep as the
/// ground bears them by their contact system (where it is rigid or nobody bears them: touching), joints without
/// actuators and loops in balance. Drives and actuated joints stay where they are. Each wheel is borne by a vertical
/// force, as at rest with brakes on. Deterministic. The rover's tree must have a free base.
Placement place_rover(World& world, const PlaceRequest& request);

/// "slope 12.3° rising towards 45°, ...": what a user wants to know of it.
std::string to_text(const Placement& placement);

/// Signed distance of a point from the border of the convex hull of others, positive inside [m].
double distance_inside_hull(const Vec2& point, std::vector<Vec2> others);

}  // namespace grouser::internal
