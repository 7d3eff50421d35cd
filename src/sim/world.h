#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "contact/bbcc/bbcc_scene.h"
#include "contact/pcm/pcm_scene.h"
#include "contact/wheel/wheel_model.h"
#include "geometry/shape.h"
#include "integrate/options.h"
#include "multibody/model.h"
#include "sim/ground.h"
#include "sim/path_follower.h"
#include "sim/signal.h"
#include "sim/state.h"

namespace grouser {

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
  int drive_dof = 0;   ///< velocity index of the rolling joint
  int steer_dof = -1;  ///< velocity index of the steering joint, or -1
  double radius = 0;   ///< for slip: v / (ω r) [m], > 0
  double width = 0;    ///< [m], > 0
};

/// A body that presses into soft soil.
struct SoilContact {
  int body = 0;
  Pose X_BS;  ///< frame of the shape in the body
  std::shared_ptr<const ScmBody> shape;
};

/// A wheel on the ground by one of the fast models, which leave the soil as it is.
struct WheelContact {
  int body = 0;
  Pose X_BS;  ///< frame of the wheel in the body: axle along y, origin in its middle
  WheelForm form;
  WheelModel model;
  std::vector<WheelSoil> soils;  ///< per soil of the ground
};

struct Rover {
  std::string name;
  int chassis = 0;  ///< body whose x is forward and z is up
  std::vector<Wheel> wheels;
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
  std::shared_ptr<const Ground> ground;            ///< nothing: empty space
  std::vector<SoilContact> soil_contacts;          ///< only if there is ground
  ScmOptions scm;                                  ///< how they are computed
  std::vector<WheelContact> wheel_contacts;        ///< only if there is ground
  std::shared_ptr<const BbccScene> body_contacts;  ///< nothing: bodies pass through each other
  std::shared_ptr<const PcmScene> mesh_contacts;   ///< nothing: no meshes touch
  std::vector<Rover> rovers;
  std::vector<Visual> visuals;
  std::vector<JointCommand> joint_commands;
  std::vector<PathCommand> path_commands;
  std::vector<EventSpec> events;
  std::vector<SourceLine> actuator_lines;  ///< per actuator; empty if they come from no file
  RunSettings settings;

  /// Whether anything touches ground or other bodies.
  bool has_contact() const {
    return !soil_contacts.empty() || !wheel_contacts.empty() || body_contacts || mesh_contacts;
  }

  /// Whether bodies that touch are rigid; else they give way a little, by the laws of BBCC.
  bool has_rigid_contact() const {
    return settings.integrator.method == IntegrationMethod::moreau_jean;
  }
};

}  // namespace grouser
