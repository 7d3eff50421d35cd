#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "contact/contact_system.h"
#include "geometry/shape.h"
#include "integrate/options.h"
#include "multibody/model.h"
#include "sim/ground.h"
#include "sim/mission.h"
#include "sim/onboard.h"
#include "sim/path_follower.h"
#include "sim/signal.h"
#include "sim/state.h"
#include "sim/watch_options.h"

namespace grouser::internal {

/// What a body looks like.
struct Visual {
  int body = kWorld;
  Pose X_BS;  ///< shape frame in the body
  Shape shape;
  Vec3 color = Vec3(0.7, 0.7, 0.7);  ///< red, green, blue in [0, 1]
};

/// A wheel of a rover. It rolls forward, along its chassis' x, at positive drive rate.
struct Wheel {
  std::string name;
  int body = 0;
  Vec3 p_B = Vec3::Zero();  ///< its centre in the body [m]; on the axis of the rolling joint
  int drive_dof = 0;        ///< velocity index of the rolling joint
  int steer_dof = -1;       ///< velocity index of the steering joint, or -1
  double radius = 0;        ///< for slip: v / (ω r) [m], > 0
  double width = 0;         ///< [m], > 0
};

/// Where the centre of a wheel is [m], in the frame in which its body is posed.
inline Vec3 centre_of(const Wheel& wheel, const std::vector<Pose>& X_WB) {
  return X_WB[static_cast<std::size_t>(wheel.body)] * wheel.p_B;
}

struct Rover {
  std::string name;
  int chassis = 0;  ///< body whose x is forward and z is up
  std::vector<Wheel> wheels;
  bool chassis_contact = true;  ///< whether its other bodies are held off the ground
};

/// Where a body of a rover, no wheel, ends, if no contact holds it off the ground.
struct BodyOutline {
  int body = 0;
  std::vector<Vec3> points;  ///< on its surface, in the body's frame [m]
};

/// Drives one quantity of one actuator along a signal.
struct JointCommand {
  int actuator = 0;
  TargetQuantity quantity = TargetQuantity::velocity;
  Signal signal;
};

/// Drives a rover along a path: a sampled controller that holds its wheel commands in between.
struct PathCommand {
  int rover = 0;
  PathPlan plan;
  double start_time = 0;  ///< [s]
  double rate_hz = 20;    ///< sampling [Hz], > 0
};

enum class EventQuantity {
  joint_position,  ///< of velocity index `index` (a plain coordinate)
  joint_velocity,  ///< of velocity index `index`
  body_x,
  body_y,
  body_z,          ///< origin of body `index` in W [m]
  tether_tension,  ///< of tether `index` [N]
  /// Size of the force of all contacts on body `index` [N]; with a threshold of 0 whether there is any.
  contact_force,
};

/// An instant to be found: when a quantity crosses a threshold.
struct EventSpec {
  std::string name;
  EventQuantity quantity = EventQuantity::joint_position;
  int index = 0;
  double threshold = 0;
  int direction = 0;  ///< +1 rising, -1 falling, 0 both
  bool stop = false;  ///< ends the run
};

/// Of which contact sensors the record tells.
enum class RecordedContacts { none, wheels, all };

struct RunSettings {
  double duration = 10;  ///< [s], > 0
  IntegratorOptions integrator;
  int integrator_line = 0;     ///< where the scene file describes it; 0 = nowhere
  double record_rate_hz = 50;  ///< [Hz]; 0 = only where the run begins and ends
  double soil_rate_hz = 2;     ///< of changes of the ground in the record [Hz], > 0
  RecordedContacts record_contacts = RecordedContacts::wheels;
  double checkpoint_interval = 0;  ///< simulated [s]; 0 = only at the end
  double max_speed = 1e5;  ///< a body or joint faster than this counts as diverged [m/s] or [rad/s]
  std::uint64_t seed = 1;
};

/// Where a file describes something.
struct SourceLine {
  std::string file;  ///< as the user gave it, or "builtin:NAME"
  int line = 0;      ///< 1-based; 0 = unknown
};

/// Everything about a simulation but its state: immutable, built by the scene layer.
struct World {
  std::string name;
  std::string scene_file;  ///< as the user gave it, or "builtin:NAME"
  std::string scene_text;  ///< what was read, kept in the run file
  Model model;
  State initial;  ///< q and v set; time 0; memory is laid out by initial_state()
  std::shared_ptr<const Ground> ground;  ///< nothing: empty space
  ContactSystems contacts;               ///< all that lets bodies touch; one of each kind at most
  std::vector<Rover> rovers;
  std::vector<Visual> visuals;  ///< shapes of bodies: what touches unless contacts say otherwise
  std::vector<Visual> looks;    ///< what is drawn; empty: the visuals
  std::vector<JointCommand> joint_commands;
  std::vector<PathCommand> path_commands;
  std::vector<OnboardControl> onboard;  ///< controllers between these and the wheels' servos
  Day day;                              ///< clock, sun and air
  Mission mission;                      ///< of one rover, or none
  std::optional<RoverPower> power;      ///< electrical, of the first rover
  std::vector<EventSpec> events;
  WatchOptions watch;
  std::vector<BodyOutline> outlines;
  std::vector<SourceLine> actuator_lines;  ///< per actuator; empty if they come from no file
  std::vector<std::string> warnings;       ///< of what it was read from, a sentence each
  RunSettings settings;
};

/// The contact system of a kind, or nothing.
template <class System>
const System* find_contacts(const World& world) {
  for (const auto& system : world.contacts) {
    if (const auto* found = dynamic_cast<const System*>(system.get())) return found;
  }
  return nullptr;
}

/// What that system of the World remembers, of a kind that does; or nothing.
template <class System>
const typename System::Memory* find_memory(const World& world, const State& state) {
  for (std::size_t s = 0; s < world.contacts.size(); ++s) {
    if (dynamic_cast<const System*>(world.contacts[s].get()) == nullptr) continue;
    return &state.contacts[s].as<typename System::Memory>();
  }
  return nullptr;
}
template <class System>
typename System::Memory* find_memory(const World& world, State& state) {
  for (std::size_t s = 0; s < world.contacts.size(); ++s) {
    if (dynamic_cast<const System*>(world.contacts[s].get()) == nullptr) continue;
    return &state.contacts[s].write<typename System::Memory>();
  }
  return nullptr;
}

/// The map and the soils of a ground alone, as contact systems take them.
inline std::shared_ptr<const ElevationMap> map_of(const std::shared_ptr<const Ground>& ground) {
  return {ground, &ground->map};
}
inline std::shared_ptr<const SoilMap> soils_of(const std::shared_ptr<const Ground>& ground) {
  return {ground, &ground->soils};
}

}  // namespace grouser::internal
