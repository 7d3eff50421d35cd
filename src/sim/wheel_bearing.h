#pragma once

#include <memory>
#include <vector>

#include "sim/evaluate.h"
#include "sim/standing_tree.h"

namespace grouser::internal {

/// How the contact systems of a World bear the wheels of a rover that stands, found by lowering them into the ground one
/// way and asking for the forces. What bodies have done to the ground before is nothing.
class WheelBearing {
 public:
  WheelBearing(const World& world, const StandingTree& tree);

  /// Per wheel a spring that bears that load where the ground does, as stiff as the ground is there. Where nothing
  /// bears a wheel, or rigid ground does: one that is stiff and touches.
  std::vector<WheelSpring> springs_for(const StandingTree& tree, const std::vector<double>& loads);

 private:
  /// Vertical forces on the wheels, each of which bears its load down to `depth` below the ground [N].
  std::vector<double> forces_at(const StandingTree& tree, const std::vector<double>& depths);

  const World& world_;
  State state_;
  std::vector<std::unique_ptr<ContactScratch>> scratch_;
  std::vector<Pose> poses_;
  std::vector<Twist> twists_;
  std::vector<Vec3> points_;
  std::vector<Wrench> wrenches_;
};

}  // namespace grouser::internal
