#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "contact/host/host_contact.h"
#include "sim/simulate.h"

namespace grouser::internal {

/// One actuator of a World.
struct ActuatorHandle {
  int index = 0;
};

/// One body of a World.
struct BodyHandle {
  int index = 0;
};

/// One wheel of a World, counted over all its rovers.
struct WheelHandle {
  int index = 0;
};

class Engine;
class Simulation;
class ThreadPool;

/// Called at the ticks of its own clock: looks at the sample and sets inputs.
using Controller = std::function<void(Simulation&)>;

struct ControllerOptions {
  double rate_hz = 20;    ///< [Hz], > 0
  double start_time = 0;  ///< first tick [s]
};

/// A World in motion, to be stepped, asked, and told what to do.
///
///     Simulation simulation(world);
///     simulation.set_target(simulation.actuator("drive"), TargetQuantity::velocity, 0.5);
///     simulation.run_to(10);
///     std::cout << simulation.sample().kinetic_energy;
///
/// It moves from point to point of the step grid. Its state there is all that is needed to go on: a state that was
/// saved and restored, in the same simulation or another one of the same World, leads to the same bits. Several
/// simulations of one World may run in threads of their own.
class Simulation {
 public:
  /// From initial_state(). The World must outlive the simulation. `threads`: how many it uses; 0 = as parallel_for
  /// does by default.
  explicit Simulation(const World& world, int threads = 0);
  /// From a state of this World. Throws Error(input) if it belongs to another one.
  Simulation(const World& world, State start, int threads = 0);
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  const World& world() const;
  double time() const { return state().time; }
  const State& state() const;
  /// The last state on the step grid. It is what to resume from if a run ended between two points, which
  /// shortens a step.
  State resumable() const;
  long steps() const;  ///< accepted steps of the integrator since it began, or was restored

  /// To the next point of the step grid, by way of the ticks of controllers before it. Multistep methods, which have
  /// no grid, go on by one `integrator.step` of time. While a mission is parked: to its next look, many points of the
  /// grid. Returns whether it arrived: an event may end it earlier.
  /// Throws DivergedError.
  bool step();
  /// On to `end` [s]; throws Error(usage) if that is past or not a number. Where it ends early is said by what it returns: an event of the scene that
  /// stops, or `stop`, which is looked at after each step and may be set by any thread.
  Outcome run_to(double end, const std::atomic<bool>* stop = nullptr);

  /// Everything about the present instant; valid until the simulation moves, or is told something.
  const Sample& sample();
  /// That were found since it began, or was restored.
  const std::vector<EventRecord>& events() const;
  /// What the steps since then amounted to, with all warnings.
  RunReport report() const;

  /// Goes on from a state, of this World, with the inputs it holds. Controllers stay.
  void restore(State state);
  /// Goes back to where it was made.
  void reset();

  /// Throws Error(usage), with the nearest name, if there is none of that name.
  ActuatorHandle actuator(std::string_view name) const;
  BodyHandle body(std::string_view name) const;
  WheelHandle wheel(std::string_view name) const;

  /// What an actuator is asked from now on, whatever the scene commands. Throws Error(usage) if it takes no such
  /// target, or the value is not finite.
  void set_target(ActuatorHandle actuator, TargetQuantity quantity, double value);
  /// The scene commands the actuator again.
  void release(ActuatorHandle actuator);
  /// A load from now on, at the body's origin, axes of W. Throws Error(usage) if it is not finite.
  void set_wrench(BodyHandle body, const Wrench& wrench);

  /// Where bodies touch from now on, as a host found it at the poses of state(); all that were given before are
  /// forgotten. Held until changed, moved along with the bodies (HostContact). Only in worlds after
  /// add_host_contacts() (sim/host_contacts.h). Throws Error(usage), naming all that is wrong with them, and changes
  /// nothing then.
  void set_contacts(std::span<const HostContact> contacts);
  /// What acted in them over the last step, in their order; valid until the simulation moves, or is told something.
  std::span<const HostContactForce> host_contacts() const;

  /// Called from now on, at each tick of its clock; in the order in which they were added. What a controller keeps
  /// to itself is not part of the state. Controllers and observers look and set inputs; what moves the simulation or
  /// changes who is called throws Error(usage) there.
  void add_controller(const ControllerOptions& options, Controller controller);

  /// Tells an observer of samples, events, warnings and checkpoints from now on, at the rates that the World's
  /// settings ask for; first of the present instant. The one before, if any, is told of it as its last. It must
  /// outlive the simulation, or be replaced by another or nullptr.
  void set_observer(Observer* observer);

 private:
  State start_;
  std::unique_ptr<ThreadPool> pool_;  // or nothing: threads that all share
  std::size_t controllers_ = 0;       // that were added
  std::unique_ptr<Engine> engine_;
};

}  // namespace grouser::internal
