#pragma once

#include <limits>
#include <string>
#include <vector>

#include "sim/world.h"

/// How long the steps of an explicit method may be. Motion is linearised about a pose at rest, tree by tree:
/// δv̇ = A_q δq + A_v δv, by finite differences of the accelerations. A step must not let any mode of it grow.
///
/// What this does not see: end stops, which act only once they are reached; stiffness between trees that move
/// alike; trees of more than kMostDofs velocities.
namespace grouser::internal {

/// Largest step and what sets it.
struct StepLimit {
  double step = std::numeric_limits<double>::infinity();  ///< [s]
  std::string cause;  ///< "servo 'x' (...)" or "contact of ..."; empty if there is no limit
  int actuator = -1;  ///< the servo, if it is one
};

/// Trees with more velocities are not looked at: finding their modes takes too long.
inline constexpr int kMostDofs = 128;

/// By servos (limits apart), dampers and springs of joints, springs and tethers, at the positions of a state.
StepLimit joint_step_limit(const World& world, const State& state);

/// By all this, by joint friction and by the contacts of a world that stands: each tree with a free root is lowered
/// or lifted, by 0.1 m at most, until the body that is pressed most bears its weight, or a wheel its share of that;
/// trees that do not come to stand so, as they fall from high or begin deep in each other, are left out.
StepLimit contact_step_limit(const World& world, const State& state);

/// Before a run with rk4 or semi_implicit: warnings of steps that are too long or nearly so. Throws Error(input) if
/// joints make them so at the beginning of a scene; what contacts do is an estimate, and only warned of.
std::vector<std::string> stability_warnings(const World& world, const State& start);

}  // namespace grouser::internal
