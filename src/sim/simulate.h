#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "sim/alarm.h"
#include "sim/sample.h"
#include "sim/world.h"

namespace grouser::internal {

/// Listens to a simulation. Called from the thread that runs it, in order of time.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_sample(const Sample&) {}
  virtual void on_event(const EventRecord&) {}
  /// A state a run can be resumed from, every World::settings.checkpoint_interval.
  virtual void on_checkpoint(const State&) {}
  /// A sentence for the user, as soon as it is known: most of them before the first step.
  virtual void on_warning(const std::string&) {}
  /// As soon as it is known; those of a state that is resumed first.
  virtual void on_alarm(const Alarm&) {}
  /// After every accepted step; cheap to ignore.
  virtual void on_step(double /*time*/, long /*steps*/) {}
};

enum class Outcome {
  completed,              ///< and no watcher saw anything
  completed_with_alarms,  ///< went on to the end, but see RunReport::alarms
  stopped_by_event,
  stopped_by_alarm,  ///< that the scene's `watch` ends the run for
  interrupted,
};

const char* to_string(Outcome outcome);

/// Of a wheel, over all steps of the run: means over its time, in contact or not, but for slip.
struct WheelStatistics {
  std::string name;
  /// Mean over the way that the rim or the hub went, whichever is faster, in contact and where the wheel rolled [-].
  double slip_mean = 0;
  double way = 0;           ///< that way [m]; without any there is no slip
  double contact_time = 0;  ///< [s]
  double sinkage_max = 0;   ///< [m]
  double torque_rms = 0;    ///< of the drive [N m]
  double normal_mean = 0;   ///< load, along the ground's normal [N]
  double pull_mean = 0;     ///< force of the ground, forward [N]
  double lateral_mean = 0;  ///< force of the ground, to the left [N]
  double power_mean = 0;    ///< work of the drive as in RunReport::energy, over time [W]

  bool has_slip() const { return way > 0; }
};

/// Of an actuator, over all steps of the run.
struct ActuatorStatistics {
  std::string name;
  double energy = 0;      ///< work that it did, ∫ max(0, τ v) dt [J]
  double power_mean = 0;  ///< over the time of the run [W]
};

/// Of a rover that follows a path, over the time that it did.
struct PathStatistics {
  std::string rover;
  double deviation_rms = 0, deviation_max = 0;  ///< of its chassis, from above [m]
};

/// How the impulses of a run with rigid contacts were found.
struct ImpulseReport {
  long steps = 0;
  long unsolved = 0;          ///< steps whose impulses missed the tolerance
  double worst_residual = 0;  ///< of all steps [-]
  long uncorrected = 0;       ///< steps whose correction of overlap missed the tolerance
  double worst_overlap = 0;   ///< beyond the margin, before it was corrected [m]
};

/// What a run amounted to; counts from where this run began, be it a checkpoint.
struct RunReport {
  Outcome outcome = Outcome::completed;
  State state;            ///< at the end
  State resumable;        ///< the last state on the step grid; resume from this one
  double start_time = 0;  ///< [s]
  double wall_time = 0;   ///< [s]
  long steps = 0;         ///< accepted steps of the integrator
  long evaluations = 0;   ///< evaluations of the forward dynamics
  double distance = 0;    ///< of the first rover's chassis or first body, from above [m]
  double energy = 0;      ///< work of the actuators, ∫ Σ max(0, τ v) dt over all steps [J]
  double loop_residual_max = 0;  ///< after all steps [m], [rad]
  std::vector<WheelStatistics> wheels;
  std::vector<ActuatorStatistics> actuators;
  std::vector<PathStatistics> paths;
  std::optional<ImpulseReport> impulses;  ///< if contacts are rigid
  std::vector<ActivityReport> mission;    ///< its timeline since time 0
  std::optional<PowerState> power;        ///< sums since time 0
  ContactReport contacts;
  std::vector<EventRecord> events;
  std::vector<Alarm> alarms;  ///< since the scene began, in parts or as a whole
  std::vector<std::string> warnings;
};

struct SimulateOptions {
  double end_time = 0;                           ///< absolute [s]
  const std::atomic<bool>* interrupt = nullptr;  ///< set from a signal handler to stop early
};

/// Memory laid out and controllers reset at time 0; loops closed by projection (throws Error(input)
/// if they cannot be).
State initial_state(const World& world);

/// Runs from `start` to the end time. Throws Error(diverged) naming body and time when the motion
/// leaves the finite numbers; the observer then has seen only good samples, and
/// DivergedError::last_good() is the last good state.
RunReport simulate(const World& world, const State& start, const SimulateOptions& options,
                   Observer& observer);

}  // namespace grouser::internal
