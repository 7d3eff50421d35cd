#pragma once

#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "math/spatial.h"

/// What acts between bodies and on joints besides the tree itself: loops, actuators, springs, tethers.
namespace grouser::internal {

inline constexpr int kWorld = -1;  ///< body index of the inertial frame W

/// A point fixed in a body, given in its frame.
struct BodyPoint {
  int body = kWorld;
  Vec3 p_B = Vec3::Zero();  ///< [m]
};

/// Two points stay together: residual p_a - p_b [m], 3 equations.
struct BallLoop {
  BodyPoint a, b;
};

/// Two points stay together and two axes stay parallel: a ball and two equations of
/// residual [-] on the axes; 5 equations.
struct HingeLoop {
  BodyPoint a, b;
  Vec3 axis_a = Vec3::UnitZ();  ///< unit, in the frame of a's body
  Vec3 axis_b = Vec3::UnitZ();  ///< unit, in the frame of b's body
};

/// A massless rod between two points: residual |p_a - p_b| - length [m].
struct DistanceLoop {
  BodyPoint a, b;
  double length = 1;  ///< [m], > 0
};

/// Linear coupling of joint coordinates: Σ factor_i q_i = offset. Gears, mimic joints and rocker
/// differentials are all of this form.
struct CouplingLoop {
  struct Term {
    int dof = 0;        ///< velocity index of a plain coordinate
    double factor = 1;  ///< [-] (or [m/rad] between a rotation and a translation)
  };
  std::vector<Term> terms;
  double offset = 0;  ///< [rad] or [m]
};

struct Loop {
  std::string name;
  std::variant<BallLoop, HingeLoop, DistanceLoop, CouplingLoop> law;
};

/// Number of scalar equations.
int row_count(const Loop& loop);

enum class ActuatorType {
  torque,      ///< the target effort, within the limit
  velocity,    ///< kd (v_target - v) + effort, within the limit
  position,    ///< kp (q_target - q) + kd (v_target - v) + effort, within the limit
  prescribed,  ///< the joint follows the target motion exactly, whatever effort it takes
};

const char* to_string(ActuatorType type);

struct Actuator {
  std::string name;
  ActuatorType type = ActuatorType::torque;
  int dof = 0;    ///< velocity index of a plain coordinate
  double kp = 0;  ///< [N m/rad] or [N/m], >= 0
  double kd = 0;  ///< [N m s/rad] or [N s/m], >= 0
  double max_effort = std::numeric_limits<double>::infinity();  ///< [N m] or [N], > 0
  /// A motor has this much at rest [N m] or [N], > 0, and in the direction it turns evenly less, until nothing is left
  /// at the no-load speed [rad/s] or [m/s], > 0.
  double stall_effort = std::numeric_limits<double>::infinity();
  double no_load_speed = std::numeric_limits<double>::infinity();
};

/// What an actuator is asked to do at an instant.
struct ActuatorTarget {
  double position = 0;      ///< [rad] or [m]
  double velocity = 0;      ///< [rad/s] or [m/s]
  double acceleration = 0;  ///< [rad/s²] or [m/s²], prescribed motion only
  double effort = 0;        ///< [N m] or [N], feed-forward
  double available = 1;     ///< part of stall_effort that a hot motor has left [-]
};

/// The largest effort [N m] or [N], >= 0, in a direction (+1 or -1) at joint rate v.
double effort_limit(const Actuator& actuator, const ActuatorTarget& target, double direction,
                    double v);

/// Effort [N m] or [N] of a torque actuator or servo at joint position q and rate v.
/// Not for prescribed motion, whose effort is a result.
double actuator_effort(const Actuator& actuator, const ActuatorTarget& target, double q, double v);

/// Linear spring and damper in line between two points; pulls and pushes.
struct SpringDamper {
  std::string name;
  BodyPoint a, b;
  double stiffness = 0;    ///< [N/m], >= 0
  double damping = 0;      ///< [N s/m], >= 0
  double rest_length = 0;  ///< [m], >= 0
};

/// A rope: pulls when longer than its unloaded length, never pushes. A winch changes the unloaded
/// length at `rate` between the two times.
struct Tether {
  std::string name;
  BodyPoint a, b;
  double stiffness = 1e4;  ///< [N/m], > 0
  double damping = 0;      ///< [N s/m], >= 0; the total force is clipped at zero
  double length = 1;       ///< unloaded length at the start [m], >= 0
  double rate = 0;         ///< paying out is positive [m/s]
  double rate_start = 0;   ///< [s]
  double rate_end = std::numeric_limits<double>::infinity();  ///< [s]
};

/// Unloaded length [m] at `time` [s], never below zero, and its rate [m/s].
std::pair<double, double> unloaded_length(const Tether& tether, double time);

}  // namespace grouser::internal
