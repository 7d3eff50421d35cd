#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scene/law_change.h"
#include "scene/mission_data.h"
#include "scene/power_data.h"
#include "scene/scene_contacts.h"
#include "scene/tree_data.h"
#include "sim/world.h"

/// A scene as its file describes it: plain data with names and places.
namespace grouser::internal {

/// Initial values and overrides of one joint.
struct JointStart {
  PlacedName joint;
  std::vector<double> position;  ///< per coordinate [rad] or [m]; roll, pitch, yaw if `is_rpy`
  bool in_degrees = false;       ///< the position was written in degrees
  bool is_rpy = false;
  std::vector<double> velocity;  ///< per degree of freedom [rad/s] or [m/s]
  std::vector<LawChange> laws;
  Place position_place;
  Place velocity_place;
};

enum class BaseType { free, fixed };

/// A rover that is set on its wheels.
struct StandData {
  Vec2 at = Vec2::Zero();  ///< of its chassis, from above [m]
  double heading = 0;      ///< of its chassis, from above, from x towards y [rad]
  Place place;
};

/// One tree and how it stands in the world.
struct ModelData {
  PlacedName name;
  TreeData tree;
  std::optional<BaseType> base;  ///< not given: free
  Place base_place;
  Pose X_WT;                             ///< of the tree's root
  std::optional<StandData> stand;        ///< if given: instead of X_WT
  std::optional<Place> on_ground;        ///< if given: its height counts from the ground below it
  std::optional<Vec3> velocity;          ///< of a free base, axes of W [m/s]
  std::optional<Vec3> angular_velocity;  ///< of a free base, axes of W [rad/s]
  Place velocity_place;
  std::vector<JointStart> joints;
  bool chassis_contact = true;  ///< of a rover: whether bodies that are no wheels feel the ground
  std::optional<PowerData> power;  ///< electrical
};

/// Drives an actuator, named itself or by its joint.
struct JointCommandData {
  PlacedName subject;
  bool by_joint = false;
  TargetQuantity quantity = TargetQuantity::velocity;
  Signal signal;            ///< [SI]
  bool in_degrees = false;  ///< was written in degrees
};

enum class WheelQuantity {
  rate,          ///< of rolling [rad/s]
  ground_speed,  ///< rate · radius [m/s]
  steer,         ///< angle [rad]
};

/// Drives or steers wheels of a rover.
struct WheelCommandData {
  std::optional<PlacedName> rover;  ///< not needed if there is one only
  std::vector<PlacedName> wheels;   ///< empty: all
  WheelQuantity quantity = WheelQuantity::rate;
  Signal signal;  ///< [SI]
  Place place;
};

struct PathCommandData {
  std::optional<PlacedName> rover;  ///< not needed if there is one only
  PathCommand law;                  ///< its rover is not used
  Place place;
};

struct EventData {
  EventSpec law;  ///< its index is not used
  PlacedName subject;
  bool in_degrees = false;
  Place place;
};

struct SceneData {
  std::string name;
  Vec3 gravity = Vec3(0, 0, -9.80665);  ///< [m/s²]
  RunSettings settings;
  std::shared_ptr<const Ground> ground;  ///< nothing if the scene has none
  std::vector<ModelData> models;
  ElementsData elements;
  std::vector<JointCommandData> joint_commands;
  std::vector<WheelCommandData> wheel_commands;
  std::vector<PathCommandData> path_commands;
  Day day;
  std::optional<MissionData> mission;
  std::vector<OnboardData> controllers;
  std::vector<EventData> events;
  WatchOptions watch;
  SceneContactList contacts;
  std::vector<Issue> warnings;  ///< what a user should know, but need not mend
  bool complete = true;         ///< false if a tree could not be read, so that names may be missing
};

/// Whether bodies that have a choice do not give way: time stepping finds the impulses between them.
inline bool has_rigid_contacts(const SceneData& scene) {
  return is_time_stepping(scene.settings.integrator.method);
}

}  // namespace grouser::internal
