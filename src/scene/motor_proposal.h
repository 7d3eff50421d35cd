#pragma once

#include <string>
#include <vector>

#include "scene/rover_finder.h"

namespace grouser::internal {

/// A servo, or a spring, that a rover's file does not say and its scene needs.
struct ProposedMotor {
  std::string joint;
  bool is_drive = false;  ///< velocity servo; else position servo
  double kp = 0;          ///< [N m/rad] or [N/m]
  double kd = 0;          ///< [N m s/rad] or [N s/m]
  double max_effort = 0;  ///< [N m] or [N]
  std::string why;        ///< where max_effort comes from
};

struct ProposedSpring {
  std::string joint;
  double stiffness = 0;  ///< [N/m]
  double damping = 0;    ///< [N s/m]
  double rest = 0;       ///< [m]
};

/// What the motors are to cope with.
struct DriveTask {
  double speed = 0;    ///< of the rover [m/s], > 0
  double gravity = 0;  ///< [m/s²], >= 0
};

/// A speed of one radian per second at the smallest wheel, to one digit [m/s].
double proposed_speed(const FoundRover& rover);

/// Velocity servos for the drives: they hold 0.25 of the wheel's share of the weight at its rim, plus the
/// joint's friction, at a loss of 4 % of speed. Position servos for steering, which turn the wheel on the
/// spot within one degree, and for all that is to stay where it is, which give way by half a degree under
/// its weight; critically damped. Limits of effort are the file's where they are between what the task
/// takes and a hundred times that.
std::vector<ProposedMotor> propose_motors(const TreeSurvey& survey, const FoundRover& rover,
                                          const DriveTask& task);

/// Springs for sliding joints above wheels: they bear the weight at a quarter of the travel.
std::vector<ProposedSpring> propose_springs(const TreeSurvey& survey, const FoundRover& rover,
                                            const DriveTask& task);

}  // namespace grouser::internal
