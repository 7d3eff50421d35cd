#pragma once

#include <vector>

#include "sim/rover_plan.h"
#include "sim/simulation.h"

namespace grouser::internal {

/// Drives the first rover of a world by hand: a wanted speed and curvature become targets of its drives and steering
/// servos, as paths of scenes do (wheel_commands()).
class HandDrive {
 public:
  /// The world must outlive this.
  explicit HandDrive(const World& world);

  /// False if there is no rover, or no wheel has a drive that takes a speed.
  bool is_possible() const;
  /// From now on, whatever the scene commands: forward speed [m/s] and curvature to the left [1/m] of the chassis.
  void drive(Simulation& simulation, double speed, double curvature);
  /// Gives the rover back to the scene.
  void release(Simulation& simulation);

 private:
  bool takes_target(int actuator, TargetQuantity quantity) const;

  const World& world_;
  RoverPlan plan_;  // empty if there is no rover
};

}  // namespace grouser::internal
