#pragma once

#include <vector>

#include "multibody/forward_dynamics.h"
#include "multibody/rnea.h"
#include "sim/body_motion_arrays.h"
#include "sim/ground_slope.h"
#include "sim/mission_memory.h"
#include "sim/rover_plan.h"
#include "sim/world.h"

namespace grouser::internal {

/// Which slice of State::memory belongs to whom.
struct MemoryLayout {
  explicit MemoryLayout(const World& world);

  std::size_t integrator_step = 0;  ///< step [s] that suits an adaptive one-step method next
  std::size_t grid_step = 1;        ///< steps of the grid behind us
  /// Per path command: ticks behind us, progress (3), start of the path (2), then steer and speed
  /// of each wheel.
  std::vector<std::size_t> path;
  std::vector<std::size_t> onboard;  ///< per on-board controller; see OnboardSlots
  std::size_t mission = 0;           ///< see MissionSlices; 0: none
  std::size_t power = 0;             ///< PowerState and temperatures; 0: none
  std::size_t size = 2;

  static constexpr std::size_t kTicks = 0, kProgress = 1, kStart = 4, kWheels = 6;
};

/// Work space for evaluating a World; allocates everything up front. One per thread.
struct WorldScratch {
  explicit WorldScratch(const World& world);

  MemoryLayout layout;
  MissionSlices mission;
  DynamicsScratch dynamics;
  RneaScratch rnea;
  std::vector<ActuatorTarget> targets;  ///< per actuator
  std::vector<RoverPlan> rovers;
  std::vector<GroundSlope> ground_slopes;                 ///< per wheel, of all rovers in order
  std::vector<std::unique_ptr<ContactScratch>> contacts;  ///< per contact system
  std::vector<Wrench> wrenches;                           ///< per body, at its origin, axes of W
  VecX effort;  ///< per actuator; prescribed ones after actuator_efforts() only
  VecX tau;     ///< generalised forces
  VecX vdot;    ///< accelerations

  /// Motions at q and v, of which dynamics.kinematics are. Moves the bodies only if they are elsewhere.
  BodyMotions motions_at(const World& world, const double* q, const double* v);
  /// Somebody else moved the bodies in dynamics.kinematics.
  void forget();

  double time = 0;  ///< of the last evaluate() [s]; not a number if others wrote here since
  VecX q, v;        ///< and what it was for

 private:
  bool has_kinematics_ = false;       // of all bodies,
  VecX kinematics_q_, kinematics_v_;  // at these
  BodyMotionArrays motions_;
};

/// The ground as bodies have shaped it; nothing in empty space.
const ElevationMap* present_ground(const World& world, const State& committed);

/// What the scene asks of the actuators at an instant: commands by time before missions and path followers by memory;
/// without any of these servos hold their initial position.
void commanded_targets(const World& world, double time, const State& committed,
                       WorldScratch& scratch);

/// What the actuators are asked at an instant: inputs before what the scene asks, with what on-board controllers add.
void actuator_targets(const World& world, double time, const State& committed,
                      WorldScratch& scratch);

/// Accelerations (scratch.vdot), forces and kinematics at an instant. Pure in (time, q, v) and in what
/// the committed state remembers.
void evaluate(const World& world, double time, const double* q, const double* v,
              const State& committed, Purpose purpose, WorldScratch& scratch);

/// Acceleration that brings a prescribed coordinate to its target and keeps it there.
double prescribed_acceleration(const World& world, const Inputs& inputs, std::size_t actuator,
                               const ActuatorTarget& target, double position, double rate);

/// Wrenches per body (scratch.wrenches) of inputs, force elements and contacts that give way: all but rigid ones.
void compliant_wrenches(const World& world, double time, const Kinematics& kinematics,
                        const BodyMotions& motions, const State& committed, Purpose purpose,
                        WorldScratch& scratch);

/// Whether the scratch shows that instant. What was committed may be newer.
bool is_evaluated(const WorldScratch& scratch, double time, const double* q, const double* v);

/// Kinematics alone, of all bodies.
void evaluate_kinematics(const World& world, const double* q, const double* v,
                         Kinematics& kinematics);

/// After evaluate(): fills in the efforts that prescribed motion took.
void prescribed_efforts(const World& world, const double* q, const double* v,
                        WorldScratch& scratch);

}  // namespace grouser::internal
