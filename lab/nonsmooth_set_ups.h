#pragma once

#include <string>
#include <vector>

#include "lab/bbcc_set_ups.h"
#include "lab/stepped_rover.h"
#include "sim/simulate.h"

/// What the verification of rigid contact runs.
namespace grouser::internal {

/// Place, velocity of the last body and the fastest of all velocities, sample by sample.
class BodyTrack : public Observer {
 public:
  void on_sample(const Sample& sample) override;

  std::vector<double> time, fastest;
  std::vector<Vec3> position, velocity;
};

inline constexpr double kBlockFriction = 0.5;
/// A cube on a slab, gravity leaning by `incline` [rad].
BodyTrack block_on_incline(double incline, double end);

inline constexpr double kBounceRestitution = 0.8, kBounceRadius = 0.1;
/// A sphere that falls 1 m on a slab.
BodyTrack bouncing_sphere(double end);

inline constexpr double kTurningLength = 0.02;  ///< of friction against rolling and spinning [m]
/// A ball of BbccTable1 that rolls with v [m/s] or spins with w [rad/s] on a slab.
Track turning_ball(double incline, double v, double w, double end);

/// The built-in rover drops on a floor and drives at a step of 0.1 m.
struct StepRun {
  RunReport report;
  BodyTrack track;  ///< of the last wheel
};
StepRun drive_at_step(double friction);

/// A moment of a reference trajectory.
struct SlopeInstant {
  double time, x, v;  ///< [s], [cm], [cm/s]
};
/// Of an independent nonsmooth program, every solve to 1e-8; x and v are horizontal.
inline constexpr SlopeInstant kSlope[] = {{50, 244.991, 9.75564},   {100, 726.645, 9.51002},
                                          {130, 915.659, 2.54801},  {140, 926.640, 0.01908},
                                          {180, 923.467, -0.17777}, {200, 821.863, -10.2286},
                                          {250, -1987.12, -102.131}};

/// Model B on a slope of 0.02 rad, with six phases of torque.
RoverStepper slope_rover();

inline constexpr double kHoldSlope = 0.1707233487;  ///< [rad]
/// Model A, held on that slope by torque until 30 s, then a ramp of torque.
RoverStepper held_rover();

}  // namespace grouser::internal
