#pragma once

#include <functional>
#include <string>
#include <vector>

#include "nonsmooth/moreau_jean.h"

namespace grouser::internal {

/// A rover whose wheels stand on a hard plane, one point each: straight below the centre by the radius.
struct SteppedRover {
  ModelSpec spec;
  int trunk = 0;
  std::vector<int> wheels;  ///< bodies
  double radius = 1;
  Vec3 up = Vec3::UnitZ();  ///< normal of the plane, which goes through the origin
  double height = 1;        ///< of the trunk above the plane when it stands
};

/// ExoMars-like chassis of 64.6 kg in SI units: INRIA report RT-448. Uphill is x.
SteppedRover rover_a(double slope);
/// The same kind of chassis with 880 kg, lengths in cm and gravity of 9.81 in the same units, y up: 3DROV's
/// slope scenario. Downhill is x, which begins at 55 sin(slope).
SteppedRover rover_b(double slope);

struct SteppedRoverOptions {
  double step = 0.005;  ///< [s]
  double friction = 0.3;
  double restitution = 0.1;
  double steering_stiffness = 0, steering_damping = 0;
  double tolerance = 1e-8;
  double forward = 1;  ///< sign of a torque that drives the rover the way it should
  /// Of each wheel after so many steps; a step takes the mean of its two ends.
  std::function<double(double steps)> torque;
};

/// Steps a rover by hand: a host of its own that asks for poses and supplies contacts.
class RoverStepper {
 public:
  RoverStepper(const SteppedRover& rover, const SteppedRoverOptions& options);

  void run_to(double time);
  double time() const;
  double x() const { return q_[4]; }  ///< of the trunk, along the slope
  double v() const { return v_[3]; }
  double load(std::size_t wheel) const { return wrenches_[wheel].force.dot(rover_.up); }
  double wheel_rate(std::size_t wheel) const;
  double worst_residual() const { return worst_residual_; }
  double fastest() const { return v_.cwiseAbs().maxCoeff(); }  ///< of all velocities
  long unsolved() const { return unsolved_; }

 private:
  void step();

  SteppedRover rover_;
  SteppedRoverOptions options_;
  Model model_;
  MoreauJean stepper_;
  VecX q_, v_, tau_, inertia_;
  std::vector<RigidContact> contacts_;
  std::vector<Wrench> wrenches_;
  std::vector<int> steering_;  // velocities
  long steps_ = 0, unsolved_ = 0;
  double worst_residual_ = 0;
};

}  // namespace grouser::internal
