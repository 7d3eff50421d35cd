#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <grouser/world.h>

namespace grouser {

namespace internal {
struct State;
}

/// All that is needed to go on from an instant: positions, velocities, ruts, what contacts and controllers remember, and
/// inputs. A value: copying it is a snapshot, equality is that of all bits.
class GROUSER_API State {
 public:
  State(const State&);
  State(State&&) noexcept;
  State& operator=(const State&);
  State& operator=(State&&) noexcept;
  ~State();

  double time() const;         ///< [s]
  std::uint64_t hash() const;  ///< of all bits; the same on every run
  friend GROUSER_API bool operator==(const State& a, const State& b);

  /// A checkpoint, as `grouser run --resume` reads it, too. The file appears complete or not at all. Throws Error(io), or
  /// Error(input) if the state is of another world.
  void save(const std::filesystem::path& file, const World& world) const;
  /// Back again, to the bit. Throws Error(io) if it cannot be read, Error(input) if it is damaged or of another world.
  static State load(const std::filesystem::path& file, const World& world);
  /// The bytes of that file, in memory: what C, Python and the program read, too.
  std::vector<std::byte> to_bytes(const World& world) const;
  /// Back again, to the bit. Throws Error(input) as load() does.
  static State from_bytes(std::span<const std::byte> bytes, const World& world);

 private:
  friend struct internal::Face;
  explicit State(std::unique_ptr<internal::State> held);

  std::unique_ptr<internal::State> held_;
};

/// Handles of things that have names. Valid for every simulation of the World they come from.
struct Actuator {
  int index = 0;  ///< in World::actuators()
};
struct Body {
  int index = 0;  ///< in World::bodies()
};
struct Wheel {
  int index = 0;  ///< in World::wheels()
};

/// A point where two bodies touch, or a body and the world, as a host found it: at the poses that bodies have when it
/// is given, world axes.
///
/// Until the host gives others it goes with its bodies: `point` is fixed to body a, and the point of body b opposite it,
/// with the normal, to body b or the world. That is exact where a corner of a moves over a plane of b; a host whose bodies
/// roll gives contacts anew at each step.
struct HostContact {
  int body_a = 0;           ///< in World::bodies()
  int body_b = kTheWorld;   ///< another one, or the world
  Vec3 point = {};          ///< on the surface of body a [m]
  Vec3 normal = {0, 0, 1};  ///< unit, out of b into a
  double gap = 0;           ///< along the normal; negative where they overlap [m]
  double friction = 0;      ///< of sliding [-], >= 0
  double restitution = 0;   ///< speed after over speed before an impact [-], 0 ... 1

  static constexpr int kTheWorld = -1;
};

/// What acted in a contact over the last step.
struct HostContactForce {
  Vec3 point = {};  ///< where, in the world [m]
  Vec3 force = {};  ///< on body a; on body b the opposite [N]
};

/// What an actuator can be asked for.
enum class Target {
  position,  ///< [rad] or [m]
  velocity,  ///< [rad/s] or [m/s]
  effort,    ///< [N m] or [N]
};

struct BodySample {
  Pose pose = {};    ///< in the world
  Twist twist = {};  ///< of its origin, world axes
};

/// A wheel at an instant, in the frame of the ground under it: the normal of the untouched terrain (straight up without
/// terrain), forward along the ground across the axle, left. Forces are those of the ground on the wheel.
struct WheelSample {
  double rate = 0;    ///< of rolling, forward positive [rad/s]
  double steer = 0;   ///< steering angle [rad]
  double torque = 0;  ///< of the drive [N m]
  double slip =
      0;  ///< driving 1 - v/(ωr), braking ωr/v - 1 [-]; 0 without contact and while it stands
  double slip_angle = 0;  ///< from where it heads to where its hub goes, to the left [rad]
  double sinkage = 0;     ///< of its deepest part below the untouched ground [m], >= 0
  double normal = 0;      ///< load [N]
  double pull = 0;        ///< forward [N]
  double lateral = 0;     ///< to the left [N]
  double power = 0;       ///< of the drive, torque times rate [W]
};

/// What the contact of one shape feels. Where bodies are rigid, forces are those of the last step.
struct ContactSample {
  bool in_contact = false;
  Vec3 force = {};   ///< on the body, world axes [N]
  Vec3 torque = {};  ///< the same, about the origin of the shape [N m]
  double power = 0;  ///< that the contact takes from the body [W]
  double depth = 0;  ///< sinkage or penetration [m]; 0 where bodies are rigid
  Vec3 point = {};   ///< middle of the contact by load, in the world [m]
};

struct ActuatorSample {
  double effort = 0;  ///< [N m] or [N]
  double power = 0;   ///< effort times rate [W]
};

struct RoverSample {
  double roll = 0, pitch = 0, yaw = 0;  ///< of its chassis [rad]
  double path_deviation = 0;  ///< from the path that it follows, from above [m]; 0 without one
};

/// Everything about an instant. All finite.
struct Sample {
  double time = 0;           ///< [s]
  std::vector<double> q, v;  ///< joint positions and velocities [rad], [m], [rad/s], [m/s]
  std::vector<BodySample> bodies;
  std::vector<ActuatorSample> actuators;
  std::vector<RoverSample> rovers;
  std::vector<WheelSample> wheels;
  std::vector<ContactSample> contacts;
  std::vector<double> spring_forces;    ///< pulling positive [N]
  std::vector<double> tether_tensions;  ///< [N]
  double kinetic_energy = 0;            ///< [J]
  double potential_energy = 0;          ///< of gravity and springs [J]
  double loop_residual = 0;             ///< by how much loops are open [m], [rad]
};

enum class Outcome {
  completed,              ///< and no watcher saw anything
  completed_with_alarms,  ///< arrived, but see Report::alarms
  stopped_by_event,
  stopped_by_alarm,  ///< which the scene's `watch` ends the run for
  interrupted,       ///< by the flag that was given
};

struct Event {
  std::string name;
  double time = 0;  ///< [s]
};

/// What a watcher saw (docs/trust.md): told once per kind and body.
struct Alarm {
  std::string kind;      ///< "stuck", as in a scene's `watch`
  std::string body;      ///< body, wheel, rover or actuator that it is about
  double time = 0;       ///< when it was first seen [s]
  double last_time = 0;  ///< when it was last seen [s]
  double duration = 0;   ///< for how long it was seen, in all [s]
  std::string message;   ///< a sentence
};

/// Of a wheel over the time of a run.
struct WheelReport {
  std::string name;
  std::optional<double>
      slip_mean;  ///< over the way that it rolled or slid in contact [-]; nothing if it did not
  double sinkage_max = 0;   ///< [m]
  double torque_rms = 0;    ///< [N m]
  double normal_mean = 0;   ///< [N]
  double pull_mean = 0;     ///< [N]
  double lateral_mean = 0;  ///< [N]
  double power_mean = 0;    ///< of the drive, none of it fed back [W]
};

/// What the steps since a simulation was made, or restored, amounted to.
struct Report {
  Outcome outcome = Outcome::completed;  ///< of the last run_to()
  double start_time = 0;                 ///< [s]
  double time = 0;                       ///< [s]
  double wall_time = 0;                  ///< [s]
  long steps = 0;                        ///< accepted ones of the integrator
  double distance = 0;       ///< of the first rover's chassis, or the first body, from above [m]
  double energy = 0;         ///< work of all actuators, none of it fed back [J]
  double loop_residual = 0;  ///< largest opening of loops [m], [rad]
  std::vector<WheelReport> wheels;
  std::vector<Event> events;
  std::vector<Alarm> alarms;  ///< since the scene began
  std::vector<std::string> warnings;
};

class Simulation;

/// Called at the ticks of its own clock; looks at the sample and sets inputs. What moves the simulation throws
/// Error(usage) there.
using Controller = std::function<void(Simulation&)>;

struct ControllerOptions {
  double rate_hz = 20;    ///< [Hz], > 0
  double start_time = 0;  ///< first tick [s]
};

struct SimulationOptions {
  int threads =
      0;  ///< that it uses; 0: all cores, shared with other simulations. Results do not depend on it.
};

/// A World in motion: steps, is asked, and told what to do.
///
/// It moves from point to point of the step grid. Its state there is all that is needed to go on: saved and restored, in
/// the same simulation, another one of the same World or another process, it leads to the same bits. Several
/// simulations of one World may run in threads of their own; each belongs to one thread at a time.
class GROUSER_API Simulation {
 public:
  explicit Simulation(World world, const SimulationOptions& options = {});
  /// From a state of that World; throws Error(input) if it belongs to another one.
  Simulation(World world, const State& start, const SimulationOptions& options = {});
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  ~Simulation();

  const World& world() const;
  double time() const;  ///< [s]
  long steps() const;   ///< accepted ones since it was made or restored
  State state() const;
  /// The last state on the step grid. It is what to resume from if a run ended between two points.
  State resumable() const;

  /// To the next point of the step grid, by way of the ticks of controllers before it. Returns whether it arrived:
  /// an event or alarm may end it earlier. Throws Error(diverged).
  bool step();
  /// On to `end` [s]. Ends earlier at an event or alarm that stops, or after the step in which some thread set `stop`; call it
  /// again to go on.
  Outcome run_to(double end, const std::atomic<bool>* stop = nullptr);
  /// Goes on from a state of this World, with the inputs it holds. Controllers stay.
  void restore(const State& state);
  /// Goes back to where it was made.
  void reset();

  /// The present instant. Valid until the simulation moves or is told something.
  const Sample& sample();
  Report report() const;
  /// The ground now, ruts included. Throws Error(usage) where there is none.
  GroundPoint ground_at(double x, double y) const;
  std::vector<double> ground_heights(const GroundWindow& window) const;

  /// By name, as in the scene. Throw Error(usage), with the nearest name, if there is none of that name.
  Actuator actuator(std::string_view name) const;
  Body body(std::string_view name) const;
  Wheel wheel(std::string_view name) const;
  /// Of the present sample.
  const BodySample& sample(Body body);
  const WheelSample& sample(Wheel wheel);
  const ActuatorSample& sample(Actuator actuator);

  /// Inputs are held until they are changed, and are part of the state. They go before what the scene commands. Throw
  /// Error(usage) if an actuator takes no such target or a number is not finite.
  void set_target(Actuator actuator, Target target, double value);
  /// The scene commands the actuator again.
  void release(Actuator actuator);
  /// A load on a body from now on, at its origin, world axes.
  void set_wrench(Body body, const Wrench& wrench);
  /// Where bodies touch from now on, as a host found it at their present poses; replaces all that was given before. Held
  /// until changed, part of the state. Only in a World::with_host_contacts(). Contacts that have not closed yet may be
  /// given early: they act when they close. Throws Error(usage), naming all that is wrong with them.
  void set_contacts(std::span<const HostContact> contacts);
  /// What acted in them over the last step, in their order; valid until the simulation moves or is told something.
  const std::vector<HostContactForce>& contact_forces();
  /// Called from now on, at each tick of its clock, in the order in which controllers were added. What it keeps to
  /// itself is not part of the state.
  void add_controller(const ControllerOptions& options, Controller controller);

  /// Writes a run's folder (docs/run-format.md) from now on, as `grouser run` does: run.h5 at the rates that the scene's
  /// `record` asks for, and checkpoints. Replaces an earlier one there.
  void record(const std::filesystem::path& folder);
  /// Finishes what record() began, with a checkpoint of the last point of the step grid and a summary.
  void stop_recording();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace grouser
